/**
 * Events as sentences for the one polite live region: gathered for a moment, then said together.
 */

import { say } from './text.js';
import { nameOf } from './situation.js';

/** @typedef {import('./types.js').TableView} TableView */
/** @typedef {import('./types.js').GameEvent} GameEvent */

const GATHER_MS = 350;

/** @type {string[]} */
let gathered = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Say a sentence soon, with whatever else happens. @param {string} sentence */
export function announce(sentence) {
  gathered.push(sentence);
  timer ??= setTimeout(() => {
    timer = undefined;
    const region = document.getElementById('live');
    if (region) region.textContent = gathered.join(' ');
    gathered = [];
  }, GATHER_MS);
}

/** @param {GameEvent[]} events @param {TableView} view */
export function announceEvents(events, view) {
  for (const event of events) {
    const sentence = sentenceFor(event, view);
    if (sentence) announce(sentence);
  }
}

/** What is said of an event; nothing of what I have just done myself. @param {GameEvent} event @param {TableView} view */
function sentenceFor(event, view) {
  const me = view.you.seat;
  const mine = 'seat' in event && event.seat === me;
  const name = 'seat' in event ? nameOf(view, event.seat) : view.chairs.find((chair) => chair.chair === event.chair)?.name ?? event.name ?? '';
  switch (event.event) {
    case 'dealt':
      return say('said.dealt', { again: event.again, card: event.trump_card });
    case 'led': case 'threw_in': case 'took': case 'passed': case 'beaten': case 'left':
      return mine ? null : say(`said.${event.event}`, { ...event, name });
    case 'bout_ended':
      if (event.outcome === 'beaten') return say('said.bout_beaten');
      return say(mine ? 'said.bout_taken.you' : 'said.bout_taken', { name, cards: event.cards.length });
    case 'drew':
      return event.cards ? say('said.drew', { cards: event.cards }) : null;
    case 'went_out': {
      const others = event.seats.filter((/** @type {number} */ seat) => seat !== me);
      return [
        event.seats.includes(me) && say('said.went_out.you'),
        others.length > 0 && say('said.went_out', { names: others.map((/** @type {number} */ seat) => nameOf(view, seat)) }),
      ].filter(Boolean).join(' ');
    }
    case 'voided':
      return say('said.voided', {});
    case 'timed_out':
      return say(mine ? 'said.timed_out.you' : 'said.timed_out', { name });
    case 'sat': case 'rose': case 'went_away': case 'came_back': case 'voted':
      return event.chair === view.you.chair ? null : say(`said.${event.event}`, { name });
    default:
      return null;
  }
}
