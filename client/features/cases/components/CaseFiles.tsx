import { SectionHeading } from '../../../ui/SectionHeading.tsx';

/** The place of a case's documents. */
export function CaseFiles() {
  return (
    <section className="mt-6 border-t border-line pt-4">
      <SectionHeading>Files</SectionHeading>
      <p className="text-ink-2">
        The documents of this case will stand here; the document library is still to come.
      </p>
    </section>
  );
}
