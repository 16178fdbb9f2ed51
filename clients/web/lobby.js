/** A table that waits for players: seats, the host's buttons, and everything needed to invite. */

import { h } from './dom.js';
import { optionWord } from './create.js';
import { alertLine, bar, choice, sign } from './parts.js';
import { LEVELS, changesOf } from './presets.js';
import { timerBar } from './timer.js';
import { say } from './text.js';

/**
 * @typedef {import('./types.js').TableView} TableView
 * @typedef {import('./types.js').ChairView} ChairView
 * @typedef {import('./types.js').Level} Level
 *
 * @typedef {object} LobbyHandlers
 * @property {(message: import('./types.js').Message) => void} command
 * @property {() => void} leave
 * @property {() => void} settings
 * @property {(text: string) => void} copy
 * @property {(text: string) => void} share
 */

/** @type {Level} */
let level = 'normal';

/**
 * @param {import('./store.js').State & { view: TableView }} state
 * @param {{ link: string, qr: string, copied: boolean }} invitation
 * @param {LobbyHandlers} handlers
 */
export function lobbyScreen(state, invitation, handlers) {
  const { view, link } = state;
  const live = link === 'online';
  const { can } = view.you;
  const free = view.rules.max_players - view.chairs.length;
  return h('main', { class: 'duo lobby', key: 'lobby', 'data-screen': 'lobby' },
    bar(view, state.watchers, handlers),
    h('section', { class: 'hero', key: 'hero' },
      h('div', { class: 'ticket', key: 'ticket' },
        h('img', { class: 'qr', src: invitation.qr, alt: say('lobby.qr'), width: 176, height: 176 }),
        h('p', { class: 'code-word digits' }, view.table),
        h('a', { class: 'note invite-link', href: invitation.link }, invitation.link.replace(/^https?:\/\//, ''))),
      h('div', { class: 'line', key: 'share' },
        h('button', { type: 'button', class: 'button grow', key: 'copy', 'data-act': 'copy', on: { click: () => handlers.copy(invitation.link) } },
          sign(invitation.copied ? 'check' : 'copy'), say(invitation.copied ? 'lobby.copied' : 'lobby.copy')),
        'share' in navigator && h('button', { type: 'button', class: 'button grow', key: 'send', on: { click: () => handlers.share(invitation.link) } }, sign('share'), say('lobby.share')))),
    h('div', { class: 'panels', key: 'panels' },
      h('section', { class: 'panel', key: 'seats' },
        h('div', { class: 'panel-head' }, h('h2', {}, say('lobby.title')), h('span', { class: 'note digits' }, say('home.tables.of', { taken: view.chairs.length, chairs: view.rules.max_players }))),
        h('ol', { class: 'rows', 'aria-label': say('lobby.seats') }, Array.from({ length: view.rules.max_players }, (_, i) => row(view, i, live, handlers))),
        alertLine(state.refusal),
        view.clock?.kind === 'start' && h('div', { class: 'countdown', key: 'clock' }, timerBar()),
        can.includes('fill') && free > 0 && h('div', { class: 'line', key: 'fill' },
          choice(say('lobby.level'), level, LEVELS.map((one) => [one, say(`level.${one}`)]), (chosen) => { level = /** @type {Level} */ (chosen); }),
          action('fill', say('lobby.fill'), 'button grow', live, () => handlers.command({ t: 'fill', bots: Array.from({ length: free }, () => level) }))),
        can.includes('start')
          ? action('start', say('lobby.start'), 'button primary tall wide', live, () => handlers.command({ t: 'start' }))
          : h('p', { class: 'note centred', key: 'wait' }, waitingFor(view))),
      rulesPanel(view)));
}

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

/** @param {TableView} view @param {number} index @param {boolean} live @param {LobbyHandlers} handlers */
function row(view, index, live, handlers) {
  const chair = view.chairs.find((one) => one.chair === index);
  if (!chair) {
    return h('li', { class: 'row free', key: index, 'data-chair': index },
      h('span', { class: 'row-main soft' }, say('lobby.free')),
      view.you.can.includes('join') && h('button', {
        type: 'button', class: 'button small', 'aria-label': say('lobby.sit.named', { seat: index + 1 }), 'aria-disabled': live ? null : 'true',
        'data-act': 'join', on: { click: () => live && handlers.command({ t: 'join', table: view.table, chair: index }) },
      }, say('lobby.sit')));
  }
  const notes = [
    chair.chair === view.you.chair && say('lobby.you'), chair.host && say('lobby.host'), chair.level && say(`level.${chair.level}`), chair.away && say('lobby.away'),
  ].filter(Boolean).join(', ');
  return h('li', { class: 'row', key: index, 'data-chair': index },
    h('div', { class: 'row-main' }, h('b', {}, chair.name), notes && h('span', { class: 'note' }, notes)),
    chair.kind === 'bot' && view.you.can.includes('dismiss') && h('button', {
      type: 'button', class: 'button small', 'aria-label': say('lobby.dismiss.named', { name: chair.name }), 'aria-disabled': live ? null : 'true',
      'data-act': 'dismiss', on: { click: () => live && handlers.command({ t: 'dismiss', chair: index }) },
    }, say('lobby.dismiss')));
}

/** The variant, and what this table changes of it. @param {TableView} view */
function rulesPanel(view) {
  const { rules } = view;
  const changed = Object.keys(changesOf(rules)).filter((name) => name !== 'max_players' && name !== 'turn_clock_s');
  return h('section', { class: 'panel', key: 'rules' },
    h('h2', {}, say(`preset.${rules.preset}`)),
    h('p', { class: 'note' }, say(`preset.${rules.preset}.about`)),
    h('dl', { class: 'facts' }, ['turn_clock_s', ...changed].map((name) => {
      const option = /** @type {import('./presets.js').OptionName} */ (name);
      return h('div', { key: name }, h('dt', { class: 'note' }, say(`option.${name}`)), h('dd', {}, optionWord(option, rules[option])));
    })));
}
