/** The k best of many, by score, then by the smaller id. */
export class Best {
  readonly ids: number[] = [];
  readonly scores: number[] = [];
  readonly #limit: number;
  /** Min score to get in; 0 until the limit is reached. */
  #threshold = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(id: number, score: number): void {
    const { ids, scores } = this;
    if (ids.length === this.#limit) {
      if (score < this.#threshold || !this.#isBetter(id, score, ids.length - 1)) return;
      ids.pop();
      scores.pop();
    }
    let place = ids.length;
    while (place > 0 && this.#isBetter(id, score, place - 1)) place--;
    ids.splice(place, 0, id);
    scores.splice(place, 0, score);
    this.#threshold = ids.length === this.#limit ? scores[this.#limit - 1]! : 0;
  }

  #isBetter(id: number, score: number, place: number): boolean {
    const other = this.scores[place]!;
    return score > other || (score === other && id < this.ids[place]!);
  }
}
