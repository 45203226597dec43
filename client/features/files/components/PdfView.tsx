import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PdfPages } from './PdfPages.tsx';
import { usePdf } from './use-pdf.ts';
import type { ViewerProps } from './Viewer.tsx';
import { ViewerBar } from './ViewerBar.tsx';

/** A PDF as it is printed. */
export function PdfView({ shown, modes }: ViewerProps) {
  const { pdf, locked, failure, retry } = usePdf(shown);
  if (pdf) return <PdfPages shown={shown} pdf={pdf} modes={modes} />;
  return (
    <>
      <ViewerBar modes={modes} />
      {failure !== null ? (
        <ErrorState title="The PDF could not be opened" detail={failure} onRetry={retry} />
      ) : locked ? (
        <PasswordForm locked={locked} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}
