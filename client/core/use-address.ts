import { useCallback, useContext, useMemo } from 'react';
import { UNSAFE_DataRouterContext, useLocation, useSearchParams } from 'react-router';

/** The members of an address, each with what reads its text: '' for one that is absent or unknown. */
type Schema = Record<string, (text: string) => string>;

type Address<S extends Schema> = { [Name in keyof S]: ReturnType<S[Name]> };

interface AddressOptions {
  /** Whether the Back button undoes a change; otherwise it leaves the list. */
  isBackUndo?: boolean;
  /** Whether to render before the next event, so that a key pressed right after a click acts on the clicked item. */
  isImmediate?: boolean;
}

/**
 * The state of a list in its address: tab, filters, search, sort and what is open beside it. Members are written in the
 * order of the schema, after those that it does not name.
 * @param schema is made once, outside of the component
 */
export function useAddress<S extends Schema>(
  schema: S,
  { isBackUndo = false, isImmediate = false }: AddressOptions = {},
) {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => read(schema, params), [schema, params]);
  const isLeaving = useIsLeaving();
  const change = useCallback(
    (changes: Partial<Record<keyof S, string>>) => {
      if (isLeaving()) return;
      // The present address: two changes may follow each other before the page has drawn the first.
      const before = new URLSearchParams(location.search);
      const after = new URLSearchParams([...before].filter(([name]) => !(name in schema)));
      for (const name of Object.keys(schema)) {
        const value = changes[name] ?? before.get(name);
        if (value) after.set(name, value);
      }
      const replace = !isBackUndo || isTyping(address['search'], changes['search']);
      setParams(after, { replace, flushSync: isImmediate });
    },
    [setParams, schema, isBackUndo, isImmediate, address, isLeaving],
  );
  return { address, change };
}

/**
 * Whether another page is on its way, such as that of a row that was clicked right after a search was typed: a change of this
 * page's address would end its way.
 */
function useIsLeaving() {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const { pathname } = useLocation();
  return useCallback(() => {
    if (!router) return false;
    // The router's own state, which React draws later on a busy machine.
    const { navigation, location: reached } = router.state;
    return (navigation.location ?? reached).pathname !== pathname;
  }, [router, pathname]);
}

function read<S extends Schema>(schema: S, params: URLSearchParams): Address<S> {
  return Object.fromEntries(
    Object.entries(schema).map(([name, of]) => [name, of(params.get(name) ?? '')]),
  ) as Address<S>;
}

/** The Back button returns to the list before the search, not to each letter. */
function isTyping(before = '', after = ''): boolean {
  return before !== '' && after !== '' && before !== after;
}

/** The longest text that the server searches. */
export const MAX_SEARCH_LENGTH = 200;

export function anyText(text: string): string {
  return text;
}

export function searchText(text: string): string {
  return text.trim().slice(0, MAX_SEARCH_LENGTH);
}

/** A word that is known. */
export function oneOf<Word extends string>(words: readonly Word[]) {
  return (text: string): Word | '' => words.find((word) => word === text) ?? '';
}

/** `YYYY-MM-DD` */
export function dayText(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : '';
}
