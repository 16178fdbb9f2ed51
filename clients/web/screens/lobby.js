/**
 * A table that waits for players: seats, the host's buttons, and everything needed to invite.
 *
 * @import { OptionName } from '../core/presets.js'
 * @import { Dispatch, TableView } from '../core/state.js'
 * @import { Screen } from './screens.js'
 */

import { LEVELS, changesOf } from '../core/presets.js';
import { clockKindOf, statusOf } from '../core/view.js';
import { h } from '../parts/dom.js';
import { alertLine, bar, choice, levelWord, sign } from '../parts/parts.js';
import { runTimer, timerBar } from '../table/timer.js';
import { say, sayOr } from '../text/text.js';
import { optionWord } from './create.js';

/** @type {Screen} */
export const lobbyScreen = {
  matches: ({ screen, view }) => screen === 'table' && view !== null && (statusOf(view) === 'open' || !view.game),

  settle: () => (root, state) => runTimer(root, state),

  render(state, dispatch) {
    const { link, level, root } = state;
    const view = /** @type {TableView} */ (state.view);
    const invitation = new URL(`t/${view.table}`, root).href;
    const qr = new URL(`api/qr?text=${encodeURIComponent(invitation)}`, root).href;
    const live = link === 'online';
    const { can } = view.you;
    const free = view.rules.max_players - view.chairs.length;
    return h('main', { class: 'duo lobby', key: 'lobby', 'data-screen': 'lobby' },
      bar(view, state.watchers, dispatch),
      h('section', { class: 'hero', key: 'hero' },
        h('div', { class: 'ticket', key: 'ticket' },
          h('img', { class: 'qr', src: qr, alt: say('lobby.qr'), width: 176, height: 176 }),
          h('p', { class: 'code-word digits' }, view.table),
          h('a', { class: 'note invite-link', href: invitation }, invitation.replace(/^https?:\/\//, ''))),
        h('div', { class: 'line', key: 'share' },
          h('button', { type: 'button', class: 'button grow', key: 'copy', 'data-act': 'copy', on: { click: () => dispatch({ type: 'copy', text: invitation }) } },
            sign(state.copied ? 'check' : 'copy'), say(state.copied ? 'lobby.copied' : 'lobby.copy')),
          state.canShare && h('button', { type: 'button', class: 'button grow', key: 'send', on: { click: () => dispatch({ type: 'share', url: invitation }) } }, sign('share'), say('lobby.share')))),
      h('div', { class: 'panels', key: 'panels' },
        h('section', { class: 'panel', key: 'seats' },
          h('div', { class: 'panel-head' }, h('h2', {}, say('lobby.title')), h('span', { class: 'note digits' }, say('home.tables.of', { taken: view.chairs.length, chairs: view.rules.max_players }))),
          h('ol', { class: 'rows', 'aria-label': say('lobby.seats') }, Array.from({ length: view.rules.max_players }, (_, i) => row(view, i, live, dispatch))),
          alertLine(state.refusal),
          view.clock && clockKindOf(view.clock) === 'start' && h('div', { class: 'countdown', key: 'clock' }, timerBar()),
          can.includes('fill') && free > 0 && h('div', { class: 'line', key: 'fill' },
            choice(say('lobby.level'), level, LEVELS.map((one) => [one, levelWord(one)]), (chosen) => dispatch({ type: 'level', level: /** @type {typeof level} */ (chosen) })),
            action('fill', say('lobby.fill'), 'button grow', live, () => dispatch({ type: 'command', command: { t: 'fill', bots: Array.from({ length: free }, () => level) } }))),
          can.includes('start')
            ? action('start', say('lobby.start'), 'button primary tall wide', live, () => dispatch({ type: 'command', command: { t: 'start' } }))
            : h('p', { class: 'note centred', key: 'wait' }, waitingFor(view))),
        rulesPanel(view)));
  },
};

/** @param {string} act @param {string} word @param {string} kind @param {boolean} live @param {() => void} press */
function action(act, word, kind, live, press) {
  return h('button', { type: 'button', class: kind, key: act, 'data-act': act, 'aria-disabled': live ? null : 'true', on: { click: () => live && press() } }, word);
}

/** @param {TableView} view */
function waitingFor(view) {
  const host = view.chairs.find((chair) => chair.host);
  if (view.chairs.length < 2 || !host) return say('lobby.need');
  return host.chair === view.you.chair ? '' : say('lobby.waits', { host: host.name });
}

/** @param {TableView} view @param {number} index @param {boolean} live @param {Dispatch} dispatch */
function row(view, index, live, dispatch) {
  const chair = view.chairs.find((one) => one.chair === index);
  if (!chair) {
    return h('li', { class: 'row free', key: index, 'data-chair': index },
      h('span', { class: 'row-main soft' }, say('lobby.free')),
      view.you.can.includes('join') && h('button', {
        type: 'button', class: 'button small', 'aria-label': say('lobby.sit.named', { seat: index + 1 }), 'aria-disabled': live ? null : 'true',
        'data-act': 'join', on: { click: () => live && dispatch({ type: 'command', command: { t: 'join', table: view.table, chair: index } }) },
      }, say('lobby.sit')));
  }
  const notes = [
    chair.chair === view.you.chair && say('lobby.you'), chair.host && say('lobby.host'), chair.level && levelWord(chair.level), chair.away && say('lobby.away'),
  ].filter(Boolean).join(', ');
  return h('li', { class: 'row', key: index, 'data-chair': index },
    h('div', { class: 'row-main' }, h('b', {}, chair.name), notes && h('span', { class: 'note' }, notes)),
    chair.kind === 'bot' && view.you.can.includes('dismiss') && h('button', {
      type: 'button', class: 'button small', 'aria-label': say('lobby.dismiss.named', { name: chair.name }), 'aria-disabled': live ? null : 'true',
      'data-act': 'dismiss', on: { click: () => live && dispatch({ type: 'command', command: { t: 'dismiss', chair: index } }) },
    }, say('lobby.dismiss')));
}

/** The variant, and what this table changes of it. @param {TableView} view */
function rulesPanel(view) {
  const { rules } = view;
  const changed = /** @type {OptionName[]} */ (Object.keys(changesOf(rules)));
  /** @type {OptionName[]} */
  const shown = ['turn_clock_s', ...changed.filter((name) => name !== 'turn_clock_s')];
  return h('section', { class: 'panel', key: 'rules' },
    h('h2', {}, sayOr(`preset.${rules.preset}`, rules.preset)),
    h('p', { class: 'note' }, sayOr(`preset.${rules.preset}.about`, '')),
    h('dl', { class: 'facts' }, shown.map((name) =>
      h('div', { key: name }, h('dt', { class: 'note' }, say(`option.${name}`)), h('dd', {}, optionWord(name, rules[name]))))));
}
