import Download from 'lucide-react/icons/download';
import FileX from 'lucide-react/icons/file-x';
import { useState } from 'react';
import { buttonClass } from '../../../ui/button-class.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { PasswordInput } from '../../../ui/PasswordInput.tsx';
import { usePdf, type Locked } from '../hooks/use-pdf.ts';
import { contentOf, type ViewerProps } from '../rules.shown.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { PdfPages } from './PdfPages.tsx';
import { ViewerBar } from './ViewerBar.tsx';

/** A PDF with its original layout. */
export function PdfView(props: ViewerProps) {
  const [attempt, setAttempt] = useState(0);
  return <OpenedPdf key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function OpenedPdf({ shown, modes, onRetry }: ViewerProps & { onRetry: () => void }) {
  const { pdf, locked, failure, isStuck } = usePdf(shown);
  if (pdf && !isStuck) return <PdfPages shown={shown} pdf={pdf} modes={modes} />;
  return (
    <>
      <ViewerBar modes={modes} />
      {isStuck ? (
        <Unshown shown={shown} />
      ) : failure !== null ? (
        <ErrorState title="Couldn’t load the PDF" detail={failure} onRetry={onRetry} />
      ) : locked ? (
        <PasswordForm locked={locked} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

/** Shown for a PDF that uses too much time or memory. */
function Unshown({ shown }: Pick<ViewerProps, 'shown'>) {
  return (
    <EmptyState
      icon={FileX}
      title="This file can’t be shown"
      action={
        <a href={contentOf(shown, true)} download className={buttonClass()}>
          <Download /> Download it
        </a>
      }
    >
      This PDF can’t be shown in the browser.
    </EmptyState>
  );
}

/** Asks for the password of a locked document, which never leaves the browser. */
function PasswordForm({ locked }: { locked: Locked }) {
  const [password, setPassword] = useState('');
  return (
    <form
      className="mx-auto grid w-full max-w-sm gap-4 px-4 py-16"
      onSubmit={(event) => {
        event.preventDefault();
        locked.open(password);
      }}
    >
      <p className="text-heading font-semibold">This document is locked</p>
      <Field
        label="Document password"
        error={locked.isWrong ? 'This password isn’t right' : undefined}
      >
        <PasswordInput
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={password === ''} className="justify-self-start">
        Open
      </Button>
    </form>
  );
}
