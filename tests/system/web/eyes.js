/* What a person sees of the page and can press on it. The tests put this before the page's own scripts. */

const eyes = {
  /** A point where a pointer meets this element and nothing that lies over it; null if there is none on the screen. */
  point(element) {
    const box = element.getBoundingClientRect();
    for (const fy of [0.12, 0.5, 0.88, 0.3]) {
      for (const fx of [0.1, 0.5, 0.9, 0.2]) {
        const x = box.left + box.width * fx;
        const y = box.top + box.height * fy;
        const hit = document.elementFromPoint(x, y);
        if (hit && element.contains(hit)) return { x, y };
      }
    }
    return null;
  },

  isOn: (element) => element.getAttribute('aria-disabled') !== 'true' && !element.closest('[inert]') && !element.disabled,

  /** Everything of the game that can be pressed now. */
  choices() {
    const found = [];
    const add = (kind, selector, name) => {
      for (const element of document.querySelectorAll(selector)) {
        if (eyes.isOn(element)) found.push({ kind, name: name(element), ...(eyes.point(element) ?? { x: null, y: null }) });
      }
    };
    add('card', '.hand button', (element) => element.dataset.card);
    add('target', '.felt button', (element) => element.dataset.card);
    add('act', '.actions button', (element) => element.dataset.act);
    return found;
  },

  screen: () => document.querySelector('[data-screen]')?.dataset.screen ?? (document.querySelector('.table') ? 'table' : 'nothing'),

  /** Wait until there is something to do, or the game is over. */
  async next(ms) {
    const end = performance.now() + ms;
    for (;;) {
      const choices = eyes.choices();
      if (choices.length || eyes.screen() === 'result' || performance.now() > end) return { screen: eyes.screen(), choices };
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
  },

  /** Wait until a table of this name is drawn; gives what can be pressed. */
  async table(title, ms) {
    const end = performance.now() + ms;
    while (document.querySelector('.bar h1')?.textContent !== title) {
      if (performance.now() > end) throw new Error(`no table ${title} within ${ms} ms, but ${document.querySelector('h1')?.textContent}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return eyes.choices();
  },

  /** Wait until nothing moves but the clock. */
  async still() {
    const moving = () => document.getAnimations().filter((one) => !one.effect.target.matches('.drain'));
    while (moving().length) {
      await Promise.allSettled(moving().map((one) => one.finished));
      await new Promise((resolve) => setTimeout(resolve)); // let what has finished be taken away
    }
  },

  hand: () => [...document.querySelectorAll('.hand [data-card]')].map((element) => element.dataset.card),

  /** Every card that is named anywhere in the document: by its code, its drawing or its words. */
  cards() {
    const page = document.documentElement.outerHTML;
    const ranks = { six: '6', seven: '7', eight: '8', nine: '9', ten: '10', jack: 'J', queen: 'Q', king: 'K', ace: 'A' };
    const words = [...page.matchAll(/(six|seven|eight|nine|ten|jack|queen|king|ace) of (spades|hearts|diamonds|clubs)/gi)]
      .map(([, rank, suit]) => ranks[rank.toLowerCase()] + suit[0].toUpperCase());
    const codes = [...page.matchAll(/["#-]((?:10|[6-9JQKA])[SHDC])["-]/g)].map(([, card]) => card);
    return [...new Set([...words, ...codes])];
  },

  /** The order on the result screen, as words. */
  order: () => [...document.querySelectorAll('.places .place-row')].map((row) => `${row.dataset.place} ${row.querySelector('b').textContent}`),

  /** Boxes of what must be seen whole, by a name for messages. */
  boxes(selector) {
    return [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length).map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { name: `${element.className} ${element.dataset.card ?? element.textContent.trim().slice(0, 24)}`, left, top, right, bottom };
    });
  },

  /** Each card of the hand, brought onto the screen if the hand scrolls: its box, and how wide it is seen from its left edge
   *  over the height of its rank and suit. */
  strips: () => [...document.querySelectorAll('.hand [data-card]')].map((card) => {
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, top, right, bottom, width } = card.getBoundingClientRect();
    const wide = (y) => {
      let x = 1;
      while (x < width && document.elementFromPoint(left + x, y) === card) x += 1;
      return x;
    };
    return { name: card.dataset.card, left, top, right, bottom, strip: Math.min(...[4, 12, 20, 28, 34].map((dy) => wide(top + dy))) };
  }),
};
window.eyes = eyes;
