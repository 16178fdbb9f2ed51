/**
 * The shapes that travel between server and browser, as types only. The authority is the server's message schema.
 *
 * @typedef {string} Card "6S", "10H", "QD"
 *
 * @typedef {object} Action
 * @property {'lead' | 'throw' | 'beat' | 'take' | 'pass' | 'finish' | 'forfeit' | 'redeal' | 'keep'} act
 * @property {Card} [card]
 * @property {Card} [target]
 *
 * @typedef {object} Pair
 * @property {Card} attack
 * @property {number} by seat
 * @property {Card | null} beaten null: open
 *
 * @typedef {{ seat: number, card: Card }} ShownCard
 *
 * @typedef {object} GameResult
 * @property {number[][]} places groups of seats
 * @property {number | null} durak
 * @property {boolean} draw
 * @property {number[]} forfeits
 * @property {number | null} [giver]
 *
 * @typedef {object} GameView
 * @property {number} players
 * @property {'redeal' | 'lead' | 'bout' | 'decide' | 'over'} phase
 * @property {'S' | 'H' | 'D' | 'C'} trump
 * @property {Card | null} trump_card
 * @property {number} stock
 * @property {number} discard
 * @property {number} bout
 * @property {number} epoch
 * @property {number | null} attacker
 * @property {number | null} defender
 * @property {number} limit
 * @property {boolean} taking
 * @property {Pair[]} table
 * @property {number[]} counts one entry per seat
 * @property {number[]} passed
 * @property {number[][]} out
 * @property {number[]} left
 * @property {ShownCard | null} shown_trump
 * @property {ShownCard | null} opening_trump
 * @property {Card[] | null} hand
 * @property {Action[]} legal
 * @property {GameResult | null} result
 *
 * @typedef {{ wins: number, losses: number, epaulettes: number }} Score
 *
 * @typedef {object} ChairView
 * @property {number} chair
 * @property {string} name
 * @property {'person' | 'bot'} kind
 * @property {Level | null} level
 * @property {number | null} seat
 * @property {boolean} host
 * @property {boolean} away
 * @property {boolean} left
 * @property {boolean} vote
 * @property {Score} score
 *
 * @typedef {'easy' | 'normal' | 'hard'} Level
 *
 * @typedef {object} ClockView
 * @property {'start' | 'offer' | 'turn' | 'window' | 'closing'} kind
 * @property {number} ms left
 * @property {number} total_ms
 * @property {number[]} seats
 *
 * @typedef {object} YouView
 * @property {number | null} chair
 * @property {number | null} seat
 * @property {boolean} auto_pass
 * @property {string[]} can
 *
 * @typedef {object} Rules
 * @property {'classic' | 'gameweave' | 'challenge'} preset
 * @property {number} max_players
 * @property {'all' | 'attacker_only'} throw_in
 * @property {'any' | 'all_beaten'} throw_timing
 * @property {'window' | 'immediate' | 'none'} after_take
 * @property {number | null} window_ms
 * @property {number} close_ms
 * @property {'lowest_trump' | 'winner_leads'} first_attacker
 * @property {boolean} redeal
 * @property {boolean} forfeit_defence
 * @property {boolean} epaulettes
 * @property {number | null} limit_first_bout
 * @property {boolean} discreet
 * @property {boolean} series
 * @property {number} offer_ms
 * @property {number | null} turn_clock_s
 * @property {[number, number]} bot_delay_ms
 *
 * @typedef {object} TableView
 * @property {string} table
 * @property {string} name
 * @property {'open' | 'playing' | 'finished'} status
 * @property {boolean} private
 * @property {Rules} rules
 * @property {ChairView[]} chairs
 * @property {number} persons
 * @property {number} games
 * @property {ClockView | null} clock
 * @property {YouView} you
 * @property {GameView | null} game
 *
 * @typedef {object} TableListing
 * @property {string} table
 * @property {string} name
 * @property {string} preset
 * @property {'open' | 'playing' | 'finished'} status
 * @property {number} chairs
 * @property {number} taken
 * @property {number} persons
 * @property {number} bots
 * @property {number | null} turn_clock_s
 * @property {boolean} discreet
 * @property {number} watchers
 *
 * @typedef {{ event: string, [key: string]: any }} GameEvent
 *
 * @typedef {{ t: 'ok', cid: string, table?: string, seq?: number }} Ok
 * @typedef {{ t: 'error', code: string, cid?: string, rule?: string, params?: Record<string, string | number>, legal?: Action[],
 *   bout?: number, epoch?: number, retry_after_ms?: number }} Refusal
 * @typedef {{ t: string, [key: string]: any }} Message
 */

export {};
