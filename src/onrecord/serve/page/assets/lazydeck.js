// The recording beside the answer. Its modules are fetched when the first recording is opened.

/** Return the interface of `deck` in deck.js, which loads on first use. */
export function lazyDeck(root, actions) {
  let opened = null;
  const there = () => (opened ??= import("./deck.js").then(({ deck }) => deck(root, actions)));
  let wanted = 0; // the number of calls so far: a call that a later one overtook does nothing
  const soon = async (does) => {
    const mine = (wanted += 1);
    const deck = await there();
    if (mine === wanted) does(deck);
  };
  return {
    open: (...how) => soon((deck) => deck.open(...how)),
    close: () => {
      wanted += 1;
      opened?.then((deck) => deck.close());
    },
    reload: () => soon((deck) => deck.reload()),
    isOpen: () => !root.hidden,
    shows: (id) => root.dataset.recording === id,
  };
}
