/**
 * Reads lists of words from a text. A line such as "[heads]" starts the list of that name. Lines
 * that start with "#" are comments.
 * @param separator pattern of the text between two words of a list
 */
export function wordLists<Name extends string>(
  text: string,
  separator = /\s+/,
): Record<Name, readonly string[]> {
  const lists = {} as Record<Name, readonly string[]>;
  for (const list of text.replace(/^#.*\n/gm, "").split(/^\[/m).slice(1)) {
    const [name, words] = list.split("]\n") as [Name, string];
    lists[name] = words.trim().split(separator);
  }
  return lists;
}
