/**
 * Drawing the state: the screen that matches, what lies over it, and what the settings do to the whole document.
 *
 * @import { Dispatch, State } from '../core/state.js'
 * @import { Settings } from '../core/settings.js'
 */

import { wear } from '../parts/cards.js';
import { patch } from '../parts/dom.js';
import { language, say } from '../text/text.js';
import { banner } from './banner.js';
import { drawDialogs } from './dialogs.js';
import { screenOf } from './screens.js';

/** @param {Element} app where the screens are drawn @param {Dispatch} dispatch @returns {(state: State) => void} */
export function createPage(app, dispatch) {
  document.documentElement.lang = language();
  return (state) => {
    const screen = screenOf(state);
    const settled = screen.settle?.(app, state);
    const { view } = state;
    document.title = state.screen === 'table' && view ? `${view.name} · ${say('home.title')}` : say('home.title');
    dress(state.settings);
    patch(app, [banner(state, dispatch), screen.render(state, dispatch)]);
    settled?.(app, state);
    drawDialogs(state, dispatch);
  };
}

/** Let the document follow the settings. @param {Settings} settings */
function dress({ theme, fourColour }) {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  if (fourColour) root.dataset.suits = 'four';
  else delete root.dataset.suits;
  wear({ indices: 'latin', fourColour });
}
