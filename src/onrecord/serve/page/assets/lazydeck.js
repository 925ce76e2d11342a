// The recording beside the answer, whose modules are fetched when one is first opened.

/** What `deck` of deck.js gives, by and by. */
export function lazyDeck(root, actions) {
  let opened = null;
  const there = () => (opened ??= import("./deck.js").then(({ deck }) => deck(root, actions)));
  let wanted = 0; // opened or closed so often: what was overtaken does nothing
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
