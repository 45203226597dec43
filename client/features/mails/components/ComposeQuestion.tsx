import { lazy, Suspense } from 'react';
import type { Composer } from './use-composer.ts';

// Loaded when it asks, since dialogs are heavy.
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

/** Asks before what is written is lost. */
export function ComposeQuestion({ composer }: { composer: Composer }) {
  const { question, ask, leave, discard } = composer;
  if (question === null) return null;
  return (
    <Suspense>
      <ConfirmDialog
        open={question === 'close'}
        title="Discard what you typed?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onClose={() => ask(null)}
        onConfirm={leave}
      >
        It is not all saved at Google yet.
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'discard'}
        title="Discard this draft?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onClose={() => ask(null)}
        onConfirm={() => {
          ask(null);
          void discard();
        }}
      >
        It is deleted here and at Google.
      </ConfirmDialog>
    </Suspense>
  );
}
