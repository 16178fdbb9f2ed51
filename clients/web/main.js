/** The page: everything is made and wired here. What it knows is in core/state.js, what it shows in screens/screens.js. */

import { createEffects } from './core/effects.js';
import { knownGuest, lastName } from './core/guests.js';
import { keptSettings } from './core/settings.js';
import { initial } from './core/state.js';
import { createStore } from './core/store.js';
import { wouldLose } from './core/view.js';
import { readCode } from './screens/home.js';
import { isDesktop } from './table/arrange.js';
import { listenForKeys } from './table/keys.js';
import { announce } from './text/announce.js';
import { sentencesFor } from './text/said.js';
import { speak } from './text/text.js';
import { createPage } from './screens/page.js';

const TABLES_EVERY_MS = 4_000;

/** Where the client is served, ending in a slash: the address of this module, so that a server may put it under a path. */
const root = new URL('.', import.meta.url);
speak(await (await fetch(new URL('words/en.json', root))).json());
const app = /** @type {HTMLElement} */ (document.getElementById('app'));

const store = createStore(
  initial({ name: lastName(), settings: keptSettings(), root: root.href, canShare: 'share' in navigator, desktop: isDesktop() }),
  createPage(app, (input) => store.dispatch(input)),
  (effect) => carryOut(effect),
);
const { dispatch } = store;
const carryOut = createEffects({ root, state: store.get, dispatch, announce: (events, view) => announce(...sentencesFor(events, view)) });

/** The table that the address names. */
function codeInAddress() {
  const match = location.pathname.slice(root.pathname.length).match(/^t\/([^/]+)\/?$/);
  return match ? readCode(decodeURIComponent(match[1])) : null;
}

const atAddress = () => dispatch({ type: 'address', code: codeInAddress(), guest: knownGuest(lastName()) });
const refresh = () => document.visibilityState === 'visible' && dispatch({ type: 'refresh' });

document.addEventListener('keydown', () => dispatch({ type: 'by', keyboard: true }), true);
document.addEventListener('pointerdown', () => dispatch({ type: 'by', keyboard: false }), true);
listenForKeys(store.get, dispatch);
window.addEventListener('popstate', atAddress);
window.addEventListener('resize', () => dispatch({ type: 'resized', desktop: isDesktop() }));
window.addEventListener('beforeunload', (event) => {
  if (wouldLose(store.get().view)) event.preventDefault();
});
setInterval(refresh, TABLES_EVERY_MS);
atAddress();
refresh();
