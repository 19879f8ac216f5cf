/** Worker that merges segments. */
import { mergeSegments, type MergeWork } from "../src/search/engine/merging.ts";

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<MergeWork>) => void;
  postMessage(merged: SharedArrayBuffer): void;
};

scope.onmessage = ({ data }) => scope.postMessage(mergeSegments(data));
