/** The state of the page: what each deed and each piece of news makes of it. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { helloOf } from '../../../../clients/web/core/state.js';
import { GUEST, after, at, attached, page, updated, view } from './given.js';

/** @import { Command, Effect, State } from '../../../../clients/web/core/state.js' */

/** @param {Effect[]} effects */
const kinds = (effects) => effects.map((effect) => effect.type);

/** What is sent. @param {Effect[]} effects */
const sent = (effects) => effects.flatMap((effect) => (effect.type === 'send' ? [effect.command] : []));

describe('coming in', () => {
  test('a table is created once there is a guest', () => {
    const asked = after(page(), { type: 'play', name: 'Anna' });
    assert.deepEqual(kinds(asked.effects), ['remember_name', 'find_guest']);
    assert.equal(asked.state.link, 'connecting');
    const connected = after(asked.state, { type: 'guest', guest: GUEST });
    assert.deepEqual(kinds(connected.effects), ['connect', 'send']);
    assert.equal(sent(connected.effects)[0].t, 'create');
    assert.deepEqual(helloOf(connected.state), { token: 'a token' });
    const created = after(connected.state, { type: 'answered', command: sent(connected.effects)[0], answer: { t: 'ok', cid: '1', table: 'ABC123' } });
    assert.deepEqual(helloOf(created.state), { token: 'a token', table: 'ABC123' });
    assert.equal(created.state.wish, null);
  });

  test('the draft of the form is what is created', () => {
    const { state } = after(page(), { type: 'to_create', name: 'Anna' });
    assert.equal(state.screen, 'create');
    const drafted = after(state, { type: 'draft', draft: { ...state.draft, name: ' Kitchen ', seats: ['free', 'hard', 'free', 'free', 'free', 'free'] } }, { type: 'create' });
    const [command] = sent(after(drafted.state, { type: 'guest', guest: GUEST }).effects);
    assert.deepEqual(command, {
      t: 'create', name: 'Kitchen', preset: 'classic', options: { max_players: 4 }, bots: ['hard'], sit: true, start: false, private: false, speed: 'watch',
    });
  });

  test('a refused table is told where it was asked for', () => {
    const { state } = after(page(), { type: 'to_create', name: 'Anna' }, { type: 'create' }, { type: 'guest', guest: GUEST });
    const command = /** @type {NonNullable<State['wish']>} */ (state.wish);
    const refused = after(state, { type: 'answered', command, answer: { t: 'error', cid: '1', code: 'no_bots', params: { levels: 'easy' } } });
    assert.equal(refused.state.screen, 'create');
    assert.deepEqual(refused.state.problem, { kind: 'refused', code: 'no_bots', params: { levels: 'easy' } });
    assert.equal(refused.state.link, 'none');
    assert.ok(kinds(refused.effects).includes('disconnect'));
  });

  test('a name that is refused and a server that is silent are told', () => {
    const asked = after(page(), { type: 'play', name: 'Anna' }).state;
    assert.deepEqual(after(asked, { type: 'no_guest', code: 'bad_name' }).state.problem, { kind: 'refused', code: 'bad_name', params: {} });
    const silent = after(asked, { type: 'no_guest', code: null }).state;
    assert.deepEqual([silent.problem, silent.screen, silent.link, silent.wish], [{ kind: 'no_server' }, 'home', 'none', null]);
    const visiting = after(page(), { type: 'visit', code: 'ABC123', name: 'Anna', sit: true }, { type: 'no_guest', code: null }).state;
    assert.deepEqual([visiting.screen, visiting.table], ['door', 'ABC123']);
  });

  test('an address opens its table for a guest and the door for a stranger', () => {
    const known = after(page(), { type: 'address', code: 'ABC123', guest: GUEST });
    assert.deepEqual([known.state.screen, known.state.table, kinds(known.effects)], ['table', 'ABC123', ['connect']]);
    const stranger = after(page(), { type: 'address', code: 'ABC123', guest: null });
    assert.deepEqual([stranger.state.screen, stranger.state.table, stranger.effects], ['door', 'ABC123', []]);
    assert.equal(after(stranger.state, { type: 'to_home' }).state.screen, 'home');
  });

  test('who joins by a code takes a seat as soon as the table is there, and only once', () => {
    const { state } = after(page(), { type: 'visit', code: 'ABC123', name: 'Anna', sit: true }, { type: 'guest', guest: GUEST });
    const open = view(null, { you: { chair: null, seat: null, auto_pass: false, can: ['join'] } });
    const shown = after(state, attached(open));
    assert.deepEqual(sent(shown.effects), [{ t: 'join', table: 'ABC123' }]);
    assert.deepEqual(sent(after(shown.state, attached(open)).effects), []);
    const watching = after(page(), { type: 'visit', code: 'ABC123', name: 'Anna', sit: false }, { type: 'guest', guest: GUEST }, attached(open));
    assert.deepEqual(sent(watching.effects), []);
  });

  test('who has gone home meanwhile is not connected', () => {
    const { state } = after(page(), { type: 'visit', code: 'ABC123', name: 'Anna', sit: true }, { type: 'to_home' });
    assert.deepEqual(after(state, { type: 'guest', guest: GUEST }), { state, effects: [] });
    assert.deepEqual(after(state, { type: 'no_guest', code: null }), { state, effects: [] });
  });

  test('a code that is none gets the focus back', () => {
    const { state, effects } = after(page(), { type: 'bad_code' });
    assert.deepEqual(state.problem, { kind: 'bad_code' });
    assert.deepEqual(effects, [{ type: 'focus', selector: '[name=code]' }]);
  });

  test('finished tables are not listed, and only home asks for the list', () => {
    const line = { table: 'ABC123', name: 'Kitchen', preset: 'classic', chairs: 4, taken: 1, persons: 1, bots: 0, turn_clock_s: 30, discreet: false, watchers: 0 };
    const { state } = after(page(), { type: 'tables', tables: [{ ...line, status: 'open' }, { ...line, table: 'DEF456', status: 'finished' }] });
    assert.deepEqual(state.tables?.map((one) => one.table), ['ABC123']);
    assert.equal(after(state, { type: 'tables', tables: null }).state.tables, null);
    assert.deepEqual(kinds(after(state, { type: 'refresh' }).effects), ['fetch_tables']);
    assert.deepEqual(after(at(view()), { type: 'refresh' }).effects, []);
  });
});

describe('the connection', () => {
  test('what is lost is found again where it was', () => {
    const lost = after(at(view()), { type: 'press', card: '10D', byKey: false }, { type: 'link', status: 'lost', code: null }).state;
    assert.deepEqual([lost.link, lost.cut, lost.picked], ['lost', 'lost', null]);
    assert.deepEqual(helloOf(lost), { token: 'a token', table: 'ABC123', seq: 10 });
    const back = after(lost, attached(view(), { seq: 14 }), { type: 'link', status: 'online', code: null }).state;
    assert.deepEqual([back.cut, back.seq], [null, 14]);
  });

  test('a server that restarts says so until it is back', () => {
    const gone = after(at(view()), { type: 'link', status: 'lost', code: 4000 }, { type: 'link', status: 'lost', code: 1006 }).state;
    assert.equal(gone.cut, 'restarting');
  });

  test('a seat that is open elsewhere can be taken back', () => {
    const ended = after(at(view()), { type: 'link', status: 'ended', code: 4100 }).state;
    assert.equal(ended.cut, 'replaced');
    const again = after(ended, { type: 'again' });
    assert.deepEqual([again.state.link, again.state.cut, kinds(again.effects)], ['connecting', null, ['connect']]);
    assert.equal(after(at(view()), { type: 'link', status: 'ended', code: 4199 }).state.cut, 'ended');
  });

  test('a refused token is replaced once, and what was wanted is still wanted', () => {
    const first = after(page(), { type: 'play', name: 'Anna' }, { type: 'guest', guest: GUEST }, { type: 'link', status: 'ended', code: 4101 });
    assert.deepEqual(first.effects, [{ type: 'forget_guest', name: 'Anna' }, { type: 'find_guest', name: 'Anna' }]);
    const second = after(first.state, { type: 'guest', guest: { ...GUEST, token: 'another' } });
    assert.deepEqual(kinds(second.effects), ['connect', 'send']);
    assert.equal(after(second.state, { type: 'link', status: 'ended', code: 4101 }).state.cut, 'ended');
  });

  test('another version of the server is noticed', () => {
    /** @param {string} server @returns {import('../../../../clients/web/core/state.js').Input} */
    const welcome = (server) => ({ type: 'heard', at: 0, message: { t: 'welcome', player: 'guest:anna', name: 'Anna', kind: 'person', server, protocol: 1, rules: '1.0.0', heartbeat_ms: 5_000 } });
    const { state } = after(page(), welcome('durak 1'), welcome('durak 1'));
    assert.equal(state.newVersion, false);
    assert.equal(after(state, welcome('durak 2'), welcome('durak 2')).state.newVersion, true);
  });

  test('after resuming the missed events are told, and nothing flies', () => {
    const { state, effects } = after(at(view()), attached(view(), { seq: 12, resumed: 'events', missed: [{ seq: 11, events: [{ event: 'took', seat: 1 }] }, { seq: 12, events: [{ event: 'passed', seat: 2 }] }] }));
    const told = effects.find((effect) => effect.type === 'announce');
    assert.deepEqual(told?.events.map((event) => event.event), ['took', 'passed']);
    assert.deepEqual(state.happened, []);
    assert.ok(!kinds(after(at(view()), attached(view(), { missed: [{ seq: 1, events: [{ event: 'took', seat: 1 }] }] })).effects).includes('announce'));
  });
});

describe('the table', () => {
  test('what an update leaves out is as it was', () => {
    const { clock, you, game } = view({ stock: 1 });
    const { state } = after(at(view()), { type: 'heard', at: 5_000, message: { t: 'update', seq: 11, events: [], view: { clock, you, game } } });
    assert.deepEqual([state.view?.game?.stock, state.view?.name, state.view?.chairs.length, state.seq], [1, 'Kitchen', 3, 11]);
    assert.equal(state.deadline, 25_000);
    const nothing = after(page(), updated(view())).state;
    assert.equal(nothing.view, null);
  });

  test('a new table changes the address, the same does not', () => {
    assert.deepEqual(after(page(), attached(view())).effects.filter((effect) => effect.type === 'go'), [{ type: 'go', path: 't/ABC123' }]);
    assert.ok(!kinds(after(at(view()), updated(view())).effects).includes('go'));
  });

  test('events wait for the drawing, once', () => {
    const { state } = after(at(view()), updated(view(), [{ event: 'took', seat: 1 }]), updated(view(), [{ event: 'passed', seat: 2 }], 12));
    assert.deepEqual(state.happened.map((event) => event.event), ['took', 'passed']);
    assert.deepEqual(after(state, { type: 'drawn' }).state.happened, []);
  });

  test('a game that was dealt before the connection is dealt to the eyes', () => {
    const dealt = view({ phase: 'lead', table: [], bout: 1, legal: [] });
    assert.deepEqual(after(page(), attached(dealt)).state.happened.map((event) => event.event), ['dealt']);
    assert.deepEqual(after(page(), attached(view())).state.happened, []);
  });

  test('a window of another size moves nothing', () => {
    const { state } = after(at(view()), { type: 'resized', desktop: true });
    assert.deepEqual([state.still, state.desktop], [true, true]);
    assert.equal(after(state, { type: 'drawn' }).state.still, false);
  });

  test('the last card of a bout glows on until its time is over or another leads', () => {
    const before = view({ table: [{ attack: '8H', by: 2, beaten: null }] });
    const ended = view({ table: [], phase: 'lead', legal: [] });
    const glowing = after(at(before), updated(ended, [{ event: 'beaten', seat: 0, target: '8H', card: '9H' }, { event: 'bout_ended', outcome: 'beaten', seat: 0, cards: ['8H', '9H'] }]));
    assert.deepEqual(glowing.state.afterglow, [{ attack: '8H', by: 2, beaten: '9H' }]);
    const timer = glowing.effects.find((effect) => effect.type === 'start_timer');
    assert.equal(timer?.input.type, 'afterglow_over');
    const over = after(glowing.state, { type: 'drawn' }, /** @type {NonNullable<typeof timer>} */ (timer).input).state;
    assert.deepEqual([over.afterglow, over.happened.map((event) => event.event)], [null, ['bout_ended']]);
    const led = after(glowing.state, updated(before, [{ event: 'led', seat: 2, card: '8H' }], 12));
    assert.equal(led.state.afterglow, null);
    assert.deepEqual(led.effects.filter((effect) => effect.type === 'stop_timer'), [{ type: 'stop_timer', input: 'afterglow_over' }]);
  });

  test('cards that I take do not glow', () => {
    const { state } = after(at(view()), updated(view({ table: [] }), [{ event: 'took', seat: 0 }, { event: 'threw_in', seat: 2, card: '8C' }, { event: 'bout_ended', outcome: 'taken', seat: 0, cards: ['8H', '8S', '8C'] }]));
    assert.equal(state.afterglow, null);
  });

  test('the last table is looked at for a moment before the result', () => {
    const over = view({ phase: 'over', legal: [] }, { status: 'finished' });
    const { state, effects } = after(at(view()), updated(over));
    assert.equal(state.lingers, true);
    assert.ok(effects.some((effect) => effect.type === 'start_timer' && effect.input.type === 'last_look_over'));
    assert.equal(after(state, updated(over, [], 12)).state.lingers, true);
    assert.equal(after(state, { type: 'last_look_over' }).state.lingers, false);
    assert.equal(after(page(), attached(over)).state.lingers, false);
  });

  test('how many look on is counted', () => {
    assert.equal(after(at(view()), { type: 'heard', at: 0, message: { t: 'watchers', count: 3 } }).state.watchers, 3);
  });

  test('a table that is closed leads home and says why; one that I left says nothing', () => {
    const closed = after(at(view()), { type: 'heard', at: 0, message: { t: 'detached', table: 'ABC123', reason: 'closed' } });
    assert.deepEqual([closed.state.screen, closed.state.view, closed.state.problem], ['home', null, { kind: 'detached', reason: 'closed' }]);
    assert.deepEqual(closed.effects, [{ type: 'disconnect' }, { type: 'go', path: '' }]);
    assert.equal(after(at(view()), { type: 'heard', at: 0, message: { t: 'detached', table: 'ABC123', reason: 'left' } }).state.problem, null);
  });

  test('a table that is not there leads home; other errors of no command do not', () => {
    const { state } = after(page(), { type: 'address', code: 'ABC123', guest: GUEST }, { type: 'heard', at: 0, message: { t: 'error', code: 'no_such_table', params: { table: 'ABC123' } } });
    assert.deepEqual([state.screen, state.problem], ['home', { kind: 'refused', code: 'no_such_table', params: { table: 'ABC123' } }]);
    assert.equal(after(at(view()), { type: 'heard', at: 0, message: { t: 'error', code: 'rate_limited' } }).state.screen, 'table');
  });

  test('of heartbeats, the lobby and the seats of bots nothing comes', () => {
    const state = at(view());
    for (const message of /** @type {import('../../../../clients/web/core/wire.js').ServerMessage[]} */ ([
      { t: 'heartbeat' }, { t: 'lobby', full: true, tables: [] }, { t: 'seat', token: '', table: 'ABC123', level: 'easy', delay_ms: [0, 0] }, { t: 'ok', cid: '1' },
    ])) assert.deepEqual(after(state, { type: 'heard', at: 0, message }), { state, effects: [] });
  });
});

describe('playing', () => {
  test('a card that beats one card is played at once, and only once', () => {
    const first = after(at(view()), { type: 'press', card: '9H', byKey: false });
    assert.deepEqual(sent(first.effects), [{ t: 'act', action: { act: 'beat', card: '9H', target: '8H' }, bout: 3 }]);
    assert.deepEqual(first.state.pending.get('9H'), { card: '9H', target: '8H', seq: null });
    assert.deepEqual(after(first.state, { type: 'press', card: '9H', byKey: false }).effects, []);
  });

  test('a card that beats two waits for its target', () => {
    const picked = after(at(view()), { type: 'press', card: '10D', byKey: true });
    assert.equal(picked.state.picked, '10D');
    assert.deepEqual(picked.effects, [{ type: 'focus', selector: '.card.target' }]);
    assert.deepEqual(after(at(view()), { type: 'press', card: '10D', byKey: false }).effects, []);
    assert.equal(after(picked.state, { type: 'press', card: '10D', byKey: false }).state.picked, null);
    assert.equal(after(picked.state, { type: 'unpick' }).state.picked, null);
    const beaten = after(picked.state, { type: 'act', action: { act: 'beat', card: '10D', target: '8S' } });
    assert.deepEqual(sent(beaten.effects), [{ t: 'act', action: { act: 'beat', card: '10D', target: '8S' }, bout: 3 }]);
    assert.equal(beaten.state.picked, null);
  });

  test('a picked card whose targets are gone is put back', () => {
    const picked = after(at(view()), { type: 'press', card: '10D', byKey: false }).state;
    assert.equal(after(picked, updated(view())).state.picked, '10D');
    assert.equal(after(picked, updated(view({ legal: [] }))).state.picked, null);
  });

  test('a card that is not legal, and any without a connection, sends nothing', () => {
    assert.deepEqual(after(at(view()), { type: 'press', card: '6S', byKey: false }).effects, []);
    const lost = after(at(view()), { type: 'link', status: 'lost', code: null }).state;
    assert.deepEqual(after(lost, { type: 'press', card: '9H', byKey: false }).effects, []);
    assert.deepEqual(after(lost, { type: 'act', action: { act: 'take' } }).effects, []);
    assert.deepEqual(after(page(), { type: 'act', action: { act: 'take' } }).effects, []);
  });

  test('passes and answers to the offer name their epoch', () => {
    const [pass] = sent(after(at(view({ legal: [{ act: 'pass' }] })), { type: 'act', action: { act: 'pass' } }).effects);
    assert.deepEqual(pass, { t: 'act', action: { act: 'pass' }, bout: 3, epoch: 7 });
    const [take] = sent(after(at(view()), { type: 'act', action: { act: 'take' } }).effects);
    assert.deepEqual(take, { t: 'act', action: { act: 'take' }, bout: 3 });
  });

  test('an accepted action is pending until the view holds it', () => {
    const played = after(at(view()), { type: 'press', card: '9H', byKey: false });
    const [command] = sent(played.effects);
    const accepted = after(played.state, { type: 'answered', command, answer: { t: 'ok', cid: '1', seq: 12 } }).state;
    assert.equal(accepted.pending.get('9H')?.seq, 12);
    assert.equal(after(accepted, updated(view(), [], 11)).state.pending.size, 1);
    assert.equal(after(accepted, updated(view(), [], 12)).state.pending.size, 0);
    assert.equal(after(played.state, updated(view({ hand: ['6S'] }))).state.pending.size, 0, 'the card is gone');
    const late = after(played.state, updated(view(), [], 12), { type: 'answered', command, answer: { t: 'ok', cid: '1', seq: 12 } }).state;
    assert.equal(late.pending.size, 0);
  });

  test('a refused action gives the card back and says why, for a moment', () => {
    const played = after(at(view()), { type: 'press', card: '9H', byKey: false });
    const refused = after(played.state, { type: 'answered', command: sent(played.effects)[0], answer: { t: 'error', cid: '1', code: 'stale', params: {} } });
    assert.equal(refused.state.pending.size, 0);
    assert.deepEqual(refused.state.refusal, { code: 'stale', params: {} });
    assert.deepEqual(refused.effects.map((effect) => effect.type === 'start_timer' && effect.input), [{ type: 'refusal_over' }]);
    assert.equal(after(refused.state, { type: 'refusal_over' }).state.refusal, null);
    assert.equal(after(refused.state, { type: 'press', card: '9H', byKey: false }).state.refusal, null);
  });

  test('a new connection starts with nothing pending; the link sends again what it has', () => {
    const played = after(at(view()), { type: 'press', card: '9H', byKey: false }).state;
    assert.equal(after(played, { type: 'link', status: 'lost', code: null }, { type: 'link', status: 'online', code: null }).state.pending.size, 1);
    assert.equal(after(played, { type: 'link', status: 'ended', code: 4100 }, { type: 'again' }).state.pending.size, 0);
  });

  test('commands of the table are sent as they are', () => {
    /** @type {Command} */
    const command = { t: 'fill', bots: ['hard'] };
    assert.deepEqual(after(at(view(null)), { type: 'command', command }).effects, [{ type: 'send', command }]);
    const refused = after(at(view(null)), { type: 'answered', command, answer: { t: 'error', cid: '1', code: 'no_bots' } }).state;
    assert.deepEqual(refused.refusal, { code: 'no_bots', params: {} });
    assert.equal(after(at(view(null)), { type: 'answered', command, answer: { t: 'ok', cid: '1' } }).state.refusal, null);
  });
});

describe('leaving', () => {
  test('a game that would be lost is asked about first', () => {
    const asked = after(at(view()), { type: 'leave' });
    assert.deepEqual([asked.state.dialog, asked.effects], ['leave', []]);
    assert.equal(after(asked.state, { type: 'close_dialog', dialog: 'leave' }).state.dialog, null);
    const gone = after(asked.state, { type: 'leave_anyway' });
    assert.deepEqual([gone.state.dialog, sent(gone.effects)], [null, [{ t: 'leave' }]]);
    const left = after(gone.state, { type: 'answered', command: { t: 'leave' }, answer: { t: 'ok', cid: '1' } });
    assert.deepEqual([left.state.screen, left.state.view, kinds(left.effects)], ['home', null, ['disconnect', 'go']]);
  });

  test('the question goes when there is nothing to lose any more', () => {
    const asked = after(at(view()), { type: 'leave' }).state;
    assert.equal(after(asked, updated(view({ out: [[0]] }))).state.dialog, null);
  });

  test('who can leave for nothing does so, and who only looks on just goes', () => {
    assert.deepEqual(sent(after(at(view(null)), { type: 'leave' }).effects), [{ t: 'leave' }]);
    const watching = view({}, { you: { chair: null, seat: null, auto_pass: false, can: [] } });
    assert.equal(after(at(watching), { type: 'leave' }).state.screen, 'home');
  });

  test('the way back out of a game stays and asks', () => {
    const { state, effects } = after(at(view()), { type: 'address', code: null, guest: GUEST });
    assert.deepEqual([state.screen, state.dialog, effects], ['table', 'leave', [{ type: 'go', path: 't/ABC123' }]]);
    assert.equal(after(at(view(null)), { type: 'address', code: null, guest: GUEST }).state.screen, 'home');
    assert.deepEqual(after(at(view()), { type: 'address', code: 'ABC123', guest: GUEST }).effects, []);
  });
});

describe('small things', () => {
  test('settings are kept when they change', () => {
    const { state, effects } = after(page(), { type: 'settings' }, { type: 'set', settings: { theme: 'light' } });
    assert.deepEqual([state.dialog, state.settings.theme], ['settings', 'light']);
    assert.deepEqual(effects, [{ type: 'keep_settings', settings: state.settings }]);
    assert.equal(after(state, { type: 'close_dialog', dialog: 'leave' }).state.dialog, 'settings', 'of another dialog');
  });

  test('what changes nothing draws nothing', () => {
    const { state } = after(at(view()), { type: 'reach', card: '9H' }, { type: 'by', keyboard: true });
    assert.equal(state.cursor, '9H');
    assert.equal(after(state, { type: 'reach', card: '9H' }, { type: 'by', keyboard: true }).state, state);
  });

  test('a copied link is told for a moment', () => {
    assert.deepEqual(after(at(view(null)), { type: 'copy', text: 'x' }).effects, [{ type: 'copy', text: 'x' }]);
    const { state, effects } = after(at(view(null)), { type: 'copied' });
    assert.deepEqual([state.copied, effects.map((effect) => effect.type === 'start_timer' && effect.input)], [true, [{ type: 'copied_over' }]]);
    assert.equal(after(state, { type: 'copied_over' }).state.copied, false);
  });

  test('a name is what the field has; a level, a link and a reload are passed on', () => {
    assert.equal(after(page(), { type: 'name', name: ' Bo' }).state.name, ' Bo');
    assert.equal(after(page(), { type: 'level', level: 'hard' }).state.level, 'hard');
    assert.deepEqual(after(page(), { type: 'share', url: 'x' }).effects, [{ type: 'share', url: 'x' }]);
    assert.deepEqual(after(page(), { type: 'reload' }).effects, [{ type: 'reload' }]);
  });
});
