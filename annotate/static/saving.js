/** Posts to the server one after the other; what is newer replaces what waits. It never gives up. */

const PAUSE = 1000;

export async function post(url, value) {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(value ?? {}) });
  // What keeps strangers out, and a server that failed, say so in plain text.
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const said = isJson ? await answer.json() : { error: await answer.text() };
  if (!answer.ok) {
    throw Object.assign(new Error(said.error), { isFinal: answer.status === 400 });
  }
  return said;
}

export class Saver {
  #url; #status; #waiting = null; #work = null;

  constructor(url, status) {
    this.#url = url;
    this.#status = status;
    addEventListener("beforeunload", (event) => {
      if (this.#work) event.preventDefault();
    });
  }

  get isBusy() { return Boolean(this.#work); }

  /** Resolves when this label, or a newer one, is on the server's disk. */
  save(label) {
    this.#waiting = label;
    this.#status.dataset.state = "saving";
    this.#work ??= this.#run().finally(() => { this.#work = null; });
    return this.#work;
  }

  async #run() {
    while (this.#waiting) {
      const label = this.#waiting;
      this.#waiting = null;
      try {
        await post(this.#url, label);
        if (!this.#waiting) this.#tell("saved", "Saved");
      } catch (error) {
        this.#tell("failed", `Not saved: ${error.message}`);
        if (error.isFinal) throw error;
        this.#waiting ??= label;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }

  #tell(state, text) {
    this.#status.dataset.state = state;
    // A screen reader need not hear the same again.
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }
}
