/* Orders that are being written, kept in the browser's storage: by game, turn and seat, so that none shows up in a later turn. */

const name = ({ game }) => `orders ${game}`;

/** What was being written for this turn: the orders, and what was sent of them and not answered. */
export function draftOf(table) {
  try {
    const kept = JSON.parse(localStorage.getItem(name(table)));
    return kept?.turn === table.turn && kept.orders ? kept : null;
  } catch {
    return null; // no storage, or somebody else's
  }
}

export function keepDraft(table, orders, sending = null) {
  try {
    if (orders) localStorage.setItem(name(table), JSON.stringify({ turn: table.turn, orders, sending }));
    else localStorage.removeItem(name(table));
  } catch {
    // A browser that stores nothing still plays.
  }
}

export const dropDraft = (table) => keepDraft(table, "");
