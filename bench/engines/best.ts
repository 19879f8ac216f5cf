/** Top-k list by score. Among equal scores, the smaller id comes first. */
export class Best {
  readonly ids: number[] = [];
  readonly scores: number[] = [];
  readonly #limit: number;
  /** Min score of an id that can enter the list; 0 until the list is full. */
  #threshold = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Inserts an id if it is among the best so far. */
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
    const listedScore = this.scores[place]!;
    return score > listedScore || (score === listedScore && id < this.ids[place]!);
  }
}
