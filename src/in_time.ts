/** Limits the time of a promise. */

/**
 * Waits for a promise. When the time is over, the work of the promise continues.
 *
 * @throws the error of the promise, or an Error with `message` if it takes too long
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  message: string,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
