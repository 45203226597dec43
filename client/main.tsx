import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { createPath } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import * as z from 'zod/mini';
import { reloadOnLostChunk } from './core/chunks.ts';
import { readKept } from './shell/persistence.ts';
import { assembleStore } from './shell/root-store.ts';
import { createRouter } from './shell/router.tsx';
import { startSession } from './shell/session.ts';
import { ToastViewport } from './ui/ToastViewport.tsx';

// The content security policy forbids what the validator would otherwise compile.
z.config({ jitless: true });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');

/** Not a top-level await, which would deadlock with the stored data's chunk, which imports this module. */
async function start(container: HTMLElement): Promise<void> {
  const rootStore = assembleStore(await readKept());
  const router = createRouter();
  startSession((path) => void router.navigate(path));
  reloadOnLostChunk(() => {
    const { location } = router.state.navigation;
    return location && createPath(location);
  });

  createRoot(container).render(
    <StrictMode>
      <Provider store={rootStore}>
        <RouterProvider router={router} />
        <ToastViewport />
      </Provider>
    </StrictMode>,
  );
}

void start(root);
