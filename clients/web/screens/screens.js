/**
 * The screens of the page and the one contract for them: the first that matches is shown.
 *
 * @import { Dispatch, State } from '../core/state.js'
 * @import { Described } from '../parts/dom.js'
 *
 * @typedef {object} Screen
 * @property {(state: State) => boolean} matches
 * @property {(state: State, dispatch: Dispatch) => Described} render pure
 * @property {(root: Element, state: State) => (root: Element, state: State) => void} [settle] for what must be measured: called before
 *   the document changes, and what it gives is called after
 */

import { tableScreen } from '../table/table.js';
import { createScreen } from './create.js';
import { doorScreen, homeScreen } from './home.js';
import { loadingScreen } from './loading.js';
import { lobbyScreen } from './lobby.js';
import { resultScreen } from './result.js';

const SCREENS = [homeScreen, doorScreen, createScreen, loadingScreen, lobbyScreen, resultScreen, tableScreen];

/** @param {State} state @returns {Screen} */
export const screenOf = (state) => SCREENS.find((screen) => screen.matches(state)) ?? tableScreen;
