import { caseColumns } from '@matterdesk/contract/case-import.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { casesInWords } from '../rules.ts';
import { ImportErrors } from './ImportErrors.tsx';
import { headerOf, ImportMapping } from './ImportMapping.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { useImport } from './use-import.ts';

interface ImportDialogProps {
  onClose: () => void;
  /** Called once the cases are created. */
  onImported: () => void;
}

/** Imports cases from a CSV file: a check first, then all rows or none. */
export function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const { file, head, trial, failure, busy, attempt, run } = useImport();
  const isRight = trial?.report.errors.length === 0;
  const count = trial?.report.rows ?? 0;
  return (
    <Dialog
      open
      // A running import cannot be stopped, so closing would only hide its outcome.
      onClose={() => busy !== 'importing' && onClose()}
      title="Import cases"
      subtitle="From a CSV file. All rows are imported, or none."
      size="large"
      footer={
        <>
          <DialogClose />
          {isRight && (
            <Button
              variant="primary"
              busy={busy === 'importing'}
              onClick={() => void run().then((isDone) => isDone && onImported())}
            >
              {`Import ${casesInWords(count)}`}
            </Button>
          )}
        </>
      }
    >
      <FileDrop
        what="CSV file"
        accept=".csv,text/csv"
        file={file}
        error={failure}
        onFile={(chosen) => void attempt(chosen)}
      />
      <div aria-live="polite" className="mt-5">
        {busy === 'trying' && (
          <p className="flex items-center gap-2 text-ink-2">
            <Spinner /> Checking each row…
          </p>
        )}
        {isRight && <ImportPreview rows={count} head={trial.head} mapping={trial.report.mapping} />}
        {trial && !isRight && <ImportErrors report={trial.report} />}
      </div>
      {file && failure !== undefined && head.length > 1 && busy === null && (
        <ImportMapping
          key={head[0]?.join()}
          head={head}
          onMapped={(mapping) => void attempt(file, mapping)}
        />
      )}
      {!file && <HowTo />}
    </Dialog>
  );
}

function HowTo() {
  const saveTemplate = () =>
    // Spreadsheets recognize UTF-8 by the byte order mark.
    saveFile(
      new Blob([`\uFEFF${caseColumns.map(headerOf).join(',')}\r\n`], { type: 'text/csv' }),
      'matters-template.csv',
    );
  return (
    <div className="grid gap-2 text-ink-2">
      <p>
        The first row names the columns, in any order. Columns that are not recognized can be chosen
        by hand; Assigned Users is optional:
      </p>
      <p className="rounded-card bg-sunken px-3 py-2 text-note wrap-anywhere">
        {caseColumns.map(headerOf).join(', ')}
      </p>
      <p>
        Dates look like 3/2/2026 or 2026-03-02. Status types are Active or Archive, statuses
        Pre-List, Litigation or ADR, types Civil, PI or Med-Mal. Assigned users are email addresses,
        separated with semicolons. A file can have up to 20,000 rows and 20 MB.
      </p>
      <p>
        <button type="button" className="link min-h-6" onClick={saveTemplate}>
          Download a template
        </button>
      </p>
    </div>
  );
}
