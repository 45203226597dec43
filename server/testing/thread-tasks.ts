/** Tasks for threads that go wrong, and one that does not. */

export function hang(): never {
  for (;;);
}

export function fill(): number {
  const kept: unknown[] = [];
  for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => ({ at })));
}

export function refuse(): never {
  throw new Error('refused');
}

export function double({ number }: { number: number }): number {
  return 2 * number;
}
