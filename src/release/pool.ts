/**
 * Runs something for every item, a few at a time, and keeps the order.
 * @param items what to run it for
 * @param width how many at a time
 * @param action what to run; the first error stops the rest
 */
export async function pool<T, R>(
  items: readonly T[],
  width: number,
  action: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      try {
        results[index] = await action(items[index] as T, index);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
  return results;
}
