/* Orders that are being written, kept in the browser's storage: by game, turn and seat, so that none shows up in a later turn. */

const draftKey = ({ game }) => `orders ${game}`;

/** What was being written for this turn: the orders, and what was sent of them and not answered. */
function draftOf(table) {
  try {
    const kept = JSON.parse(localStorage.getItem(draftKey(table)));
    return kept?.turn === table.turn && kept.orders ? kept : null;
  } catch {
    return null; // no storage, or somebody else's
  }
}

function keepDraft(table, orders, sending = null) {
  try {
    if (orders) localStorage.setItem(draftKey(table), JSON.stringify({ turn: table.turn, orders, sending }));
    else localStorage.removeItem(draftKey(table));
  } catch {
    // A browser that stores nothing still plays.
  }
}

const dropDraft = (table) => keepDraft(table, "");
