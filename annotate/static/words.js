/** The F1 of two choices of blocks as bags of words, kept up to date block by block.
 *
 * Words are those of `evaluation.metrics.words`: runs of letters, digits and underscores in lower
 * case; each ideograph or kana is one.
 */

const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}";
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");

export class WordScore {
  #words; #machine; #ours; #machineSize = 0; #shared = 0;
  size = 0;

  constructor(texts) {
    const numbers = new Map();
    this.#words = texts.map((text) => Int32Array.from(text.toLowerCase().match(WORD) ?? [], (word) => {
      if (!numbers.has(word)) numbers.set(word, numbers.size);
      return numbers.get(word);
    }));
    this.#machine = new Int32Array(numbers.size);
    this.#ours = new Int32Array(numbers.size);
  }

  /** A block of the machine's choice. */
  machineKeeps(block) {
    for (const word of this.#words[block]) {
      this.#shared += this.#ours[word] > this.#machine[word];
      this.#machine[word] += 1;
    }
    this.#machineSize += this.#words[block].length;
  }

  keep(block) {
    for (const word of this.#words[block]) {
      this.#shared += this.#machine[word] > this.#ours[word];
      this.#ours[word] += 1;
    }
    this.size += this.#words[block].length;
  }

  drop(block) {
    for (const word of this.#words[block]) {
      this.#ours[word] -= 1;
      this.#shared -= this.#machine[word] > this.#ours[word];
    }
    this.size -= this.#words[block].length;
  }

  get f1() {
    const sizes = this.size + this.#machineSize;
    return sizes ? (2 * this.#shared) / sizes : 1;
  }
}
