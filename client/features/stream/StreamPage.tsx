import { useState } from 'react';
import { lazyComponent, lazyNamed } from '../../core/chunks.ts';
import type { SourceText } from '../../core/slots.ts';
import { useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { useToday } from '../../ui/days.ts';
import type { Option } from '../../ui/option.ts';
import { refreshEntry } from './api.ts';
import { CaseStream } from './components/CaseStream.tsx';
import type { AttachProps } from './components/Composer.tsx';
import type { StreamFilters } from './components/PrintDialog.tsx';
import { type MadeKind, madeFrom } from './rules.ts';

/** The dialog of a print, with the folders of the matter, which are loaded with it. */
const StreamPrintDialog = lazyComponent(async () => {
  const [{ PrintDialog }, { caseLibrary }] = await Promise.all([
    import('./components/PrintDialog.tsx'),
    import('../files/api.ts'),
  ]);
  return function Printing(props: PrintingProps) {
    const { data } = useResource(caseLibrary, props.caseId);
    return <PrintDialog {...props} folders={Object.keys(data?.files ?? {})} />;
  };
});
const StreamAttachDialog = lazyComponent(async () => {
  const [{ AttachDialog }, { caseLibrary }] = await Promise.all([
    import('./components/AttachDialog.tsx'),
    import('../files/api.ts'),
  ]);
  return function Attaching(props: AttachProps) {
    const { data } = useResource(caseLibrary, props.caseId);
    return <AttachDialog {...props} urls={data && Object.values(data.files).flat()} />;
  };
});
const CaseDropdown = lazyNamed(
  () => import('../cases/components/CaseDropdown.tsx'),
  'CaseDropdown',
);
const TaskDialog = lazyNamed(() => import('../tasks/components/TaskDialog.tsx'), 'TaskDialog');
const NewDeadlineDialog = lazyNamed(
  () => import('../deadlines/components/NewDeadlineDialog.tsx'),
  'NewDeadlineDialog',
);
const EventDialog = lazyNamed(
  () => import('../calendar/components/EventDialog.tsx'),
  'EventDialog',
);

/** The stream of a matter, with the dialogs that make tasks, deadlines and events of its items. */
export function StreamPage({ matter }: { matter: Option }) {
  const [making, setMaking] = useState<{ what: MadeKind; about: SourceText } | null>(null);
  const [printing, setPrinting] = useState<StreamFilters | null>(null);
  const ownerId = useAppSelector(({ user }) => user.current?.id ?? '');
  const today = useToday();
  const handleClose = () => {
    if (making?.about.source) void refreshEntry(making.about.source.id);
    setMaking(null);
  };
  const shared = { matter, caseField: CaseDropdown, onClose: handleClose };
  const about = making?.about;
  return (
    <>
      <CaseStream
        matter={matter}
        caseField={CaseDropdown}
        attach={StreamAttachDialog}
        onMake={(what, item) => setMaking({ what, about: madeFrom(item) })}
        onPrint={setPrinting}
      />
      {printing && (
        <StreamPrintDialog
          caseId={matter.id}
          filters={printing}
          onClose={() => setPrinting(null)}
        />
      )}
      {about && making.what === 'task' && (
        <TaskDialog {...shared} task={null} column="intake" about={about} />
      )}
      {about && making.what === 'deadline' && (
        <NewDeadlineDialog {...shared} ownerId={ownerId} about={about} />
      )}
      {about && making.what === 'event' && (
        <EventDialog {...shared} event={null} times={null} day={today} about={about} />
      )}
    </>
  );
}

interface PrintingProps {
  caseId: string;
  filters: StreamFilters;
  onClose: () => void;
}
