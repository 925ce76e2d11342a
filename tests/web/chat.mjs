// Runs a chat with a server through the transports and the chat state of the real `ai` package.
// Usage: node chat.mjs MAJOR ADDRESS SCENARIO. Prints what a front end would see, as JSON.

const [major, address, scenario] = process.argv.slice(2);
const { AbstractChat, DefaultChatTransport, TextStreamChatTransport } = await import(`ai${major}`);

/** The chat state that a user interface framework would hold. */
class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index, message) => {
    this.messages = this.messages.map((old, at) => (at === index ? message : old));
  };
  snapshot = (value) => structuredClone(value);
}

class Chat extends AbstractChat {
  constructor(transport, options = {}) {
    const state = new State();
    super({ state, transport, ...options });
    this.shown = state;
  }
}

const transport = (options = {}) => new DefaultChatTransport({ api: `${address}/api/chat`, ...options });
const seen = (chat) => ({
  status: chat.shown.status,
  error: chat.shown.error?.message ?? null,
  messages: chat.shown.messages,
});

const scenarios = {
  async answers() {
    const transient = [];
    const chat = new Chat(transport(), { onData: (part) => transient.push(part.type) });
    await chat.sendMessage({ text: "Why did gross margin fall by five points?" });
    await chat.sendMessage({ text: "And what did Brendan Kelly say about tariffs?" });
    await chat.regenerate();
    return { ...seen(chat), data: transient };
  },

  async text() {
    const api = `${address}/api/chat?protocol=text`;
    const chat = new Chat(new TextStreamChatTransport({ api }));
    await chat.sendMessage({ text: "Why did gross margin fall by five points?" });
    return seen(chat);
  },

  async textByBody() {
    const api = `${address}/api/chat`;
    const chat = new Chat(new TextStreamChatTransport({ api, body: { protocol: "text" } }));
    await chat.sendMessage({ text: "Why did gross margin fall by five points?" });
    return seen(chat);
  },

  async refused() {
    const chat = new Chat(transport({ body: { strategy: "nonsense" } }));
    await chat.sendMessage({ text: "Why?" });
    return seen(chat);
  },

  async broken() {
    const chat = new Chat(transport());
    await chat.sendMessage({ text: "Say a word, then break." });
    return seen(chat);
  },

  async stopped() {
    const chat = new Chat(transport());
    const asked = chat.sendMessage({ text: "Say a word, then wait." });
    while (!JSON.stringify(chat.shown.messages).includes("A word")) await new Promise((go) => setTimeout(go, 20));
    await chat.stop();
    await asked;
    return seen(chat);
  },

  async unknownHistory() {
    const chat = new Chat(transport());
    chat.messages = [
      { id: "1", role: "user", parts: [{ type: "text", text: "Who is Ann?" }] },
      {
        id: "2",
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "reasoning", text: "hm", state: "done" },
          { type: "tool-weather", toolCallId: "c", state: "output-available", input: {}, output: { text: "no" } },
          { type: "data-unheard-of", data: { text: "no" } },
          { type: "file", mediaType: "image/png", url: "http://127.0.0.1:9/never.png" },
          { type: "text", text: "A buyer.", state: "done" },
        ],
      },
    ];
    await chat.sendMessage({ text: "Why did gross margin fall by five points?" });
    return seen(chat);
  },

  async resumed() {
    const chat = new Chat(transport());
    await chat.resumeStream();
    return seen(chat);
  },
};

console.log(JSON.stringify(await scenarios[scenario]()));
process.exit(0);
