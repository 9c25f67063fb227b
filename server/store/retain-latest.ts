/** Sets a value as the latest of a map. Removes the oldest ones beyond a limit. */
export function retainLatest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  maxSize: number,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) break;
    map.delete(oldest);
  }
}
