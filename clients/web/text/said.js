/**
 * Events as sentences. Pure; of an event that this page does not know nothing is said.
 *
 * @import { GameEvent, TableView } from '../core/state.js'
 */

import { isAttack, nameOf } from '../core/view.js';
import { say } from './text.js';

/** What is said of events. @param {readonly GameEvent[]} events @param {TableView} view */
export const sentencesFor = (events, view) => events.flatMap((event) => sentenceFor(event, view) ?? []);

/** What is said of an event; nothing of what I have just done myself. @param {GameEvent} event @param {TableView} view
 *  @returns {string | null} */
function sentenceFor(event, view) {
  const { seat: me, chair: myChair } = view.you;
  if (isAttack(event)) return event.seat === me ? null : say(`said.${event.event}`, { ...event, name: nameOf(view, event.seat) });
  switch (event.event) {
    case 'dealt':
      return say('said.dealt', { again: event.again, card: event.trump_card });
    case 'took': case 'passed': case 'beaten': case 'left':
      return event.seat === me ? null : say(`said.${event.event}`, { ...event, name: nameOf(view, event.seat) });
    case 'bout_ended':
      if (event.outcome === 'beaten') return say('said.bout_beaten');
      return say(event.seat === me ? 'said.bout_taken.you' : 'said.bout_taken', { name: nameOf(view, event.seat), cards: event.cards.length });
    case 'drew':
      return event.cards ? say('said.drew', { cards: event.cards }) : null;
    case 'went_out': {
      const others = event.seats.filter((seat) => seat !== me);
      return [
        me !== null && event.seats.includes(me) && say('said.went_out.you'),
        others.length > 0 && say('said.went_out', { names: others.map((seat) => nameOf(view, seat)) }),
      ].filter(Boolean).join(' ');
    }
    case 'voided':
      return say('said.voided');
    case 'timed_out':
      return say(event.seat === me ? 'said.timed_out.you' : 'said.timed_out', { name: nameOf(view, event.seat) });
    case 'sat': case 'rose':
      return event.chair === myChair ? null : say(`said.${event.event}`, { name: nameOfChair(view, event.chair) ?? event.name });
    case 'went_away': case 'came_back': case 'voted':
      return event.chair === myChair ? null : say(`said.${event.event}`, { name: nameOfChair(view, event.chair) ?? '' });
    default:
      return null;
  }
}

/** @param {TableView} view @param {number} chair */
const nameOfChair = (view, chair) => view.chairs.find((one) => one.chair === chair)?.name;
