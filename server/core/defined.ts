type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<T>;
}
