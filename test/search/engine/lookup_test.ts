import assert from "node:assert/strict";
import {
  documentOf,
  DocumentPlaces,
  placeOf,
  segmentOf,
} from "../../../src/search/engine/lookup.ts";

Deno.test("placeOf() encodes a segment and a document", () => {
  const place = placeOf(40_000, 65_534);
  assert.deepEqual([segmentOf(place), documentOf(place)], [40_000, 65_534]);
});

Deno.test("DocumentPlaces returns the last place of an id, or -1", () => {
  const places = new DocumentPlaces();
  const ids = [1, 2, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
  ids.forEach((id, place) => places.note(id, place));
  assert.deepEqual(ids.map((id) => places.get(id)), [0, 1, 2, 3]);
  assert.equal(places.get(3), -1);
  places.note(2, 9);
  assert.equal(places.get(2), 9);
});

Deno.test("DocumentPlaces may forget a place, but never returns a wrong one", () => {
  const places = new DocumentPlaces();
  let known = 0;
  for (let id = 1; id <= 20_000; id++) {
    places.note(id, id + 7);
    assert.equal(places.get(id), id + 7);
  }
  for (let id = 1; id <= 20_000; id++) {
    const place = places.get(id);
    assert.ok(place === -1 || place === id + 7);
    if (place !== -1) known++;
  }
  assert.ok(known > 0 && known <= 4_096);
});
