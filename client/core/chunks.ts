import {
  type ComponentType,
  createElement,
  type JSXElementConstructor,
  type ReactNode,
  useLayoutEffect,
  useState,
} from 'react';

const MARK = 'matterdesk-reloaded-for-chunk';
const MIN_RELOAD_INTERVAL_MS = 60_000;
const CHUNK_TIMEOUT_MS = 120_000;

let reloading: Promise<void> | undefined;
let wanted: () => string | undefined = () => undefined;

/**
 * Reloads when a lazily loaded part, such as a dialog, is missing: see `reloadForNewVersion`.
 * @param target returns the address of the page being loaded, if any
 */
export function reloadOnLostChunk(target: () => string | undefined): void {
  wanted = target;
  addEventListener('vite:preloadError', () => void reloadForNewVersion());
}

/** Loads a page's chunk, and gives up after two minutes. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(
      reject,
      CHUNK_TIMEOUT_MS,
      new Error('The page took longer than 120 seconds'),
    );
  });
  try {
    return await Promise.race([load(), timedOut]);
  } catch (error) {
    await reloadForNewVersion();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Shown in the place of a component until it has loaded. */
type LazyProps = { fallback?: ReactNode };

/**
 * A component that loads when it is first rendered. React's `lazy` would show each 300 ms after its fallback at the
 * earliest (`FALLBACK_THROTTLE_MS`), however soon it has loaded.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy({ fallback = null, ...props }: Props & LazyProps): ReactNode {
    const [component, setComponent] = useState(() => loaded);
    const [failure, setFailure] = useState<{ error: unknown }>();
    useLayoutEffect(() => {
      const show = () => setComponent(() => loaded);
      // Another place may have loaded it since this one was rendered.
      if (loaded) return show();
      load().then(
        (found) => {
          loaded = found;
          show();
        },
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure) throw failure.error;
    return component ? createElement(component, props as unknown as Props) : fallback;
  };
}

/** The component `name` of a file that loads when it is first rendered. */
export function lazyNamed<File, Name extends keyof File>(load: () => Promise<File>, name: Name) {
  return lazyComponent<PropsOf<File[Name]>>(
    async () => (await load())[name] as ComponentType<PropsOf<File[Name]>>,
  );
}

type PropsOf<Component> =
  Component extends JSXElementConstructor<infer Props extends object> ? Props : never;

/** The pages behind the sign-in, which are loaded ahead once nothing else happens. */
export const laterPages: (() => Promise<unknown>)[] = [];

/**
 * A chunk is missing when a new version was deployed while the page was open: reloading gets the new
 * chunks, and this never resolves. At most once a minute, to avoid a reload loop, and only while the
 * server responds, since otherwise the reload would lose the whole page.
 */
function reloadForNewVersion(): Promise<void> {
  reloading ??= reloadOnce().finally(() => {
    reloading = undefined;
  });
  return reloading;
}

async function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(MARK) ?? 0);
  if (Date.now() - last < MIN_RELOAD_INTERVAL_MS || !(await isServerThere())) return;
  sessionStorage.setItem(MARK, String(Date.now()));
  const target = wanted();
  if (target === undefined) location.reload();
  else location.assign(target);
  await new Promise<never>(() => {});
}

export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
