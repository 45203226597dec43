import { useMemo, useState } from 'react';
import { Controller } from 'react-hook-form';
import { caseTypes, type CaseType } from '@matterdesk/contract/cases.ts';
import {
  TEMPLATE_BYTES_MAX,
  type Template,
  type TemplateProblem,
} from '@matterdesk/contract/templates.ts';
import { changedMembers } from '../../../core/changed-members.ts';
import { CheckboxField, TextField } from '../../../core/fields.tsx';
import { resetToSaved, showRefusalAt, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { exactMoment, fullMoment } from '../../../core/words.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeTemplate, sendTemplate } from '../api.ts';

interface TemplateDialogProps {
  /** Null for a new one. */
  template: Template | null;
  /** Whether a newer file of it is added, rather than its name and types changed. */
  isVersion?: boolean;
  onClose: () => void;
}

type Values = { name: string; types: CaseType[]; active: boolean; file: File | null };

/** Adds a template or a version of one, with its problems in place, or changes what it is called and for. */
export function TemplateDialog({ template, isVersion = false, onClose }: TemplateDialogProps) {
  const { saving, hasFile, problems } = useTemplate({ template, isVersion, onClose });
  const { form } = saving;
  const hasName = !isVersion && problems.length === 0;
  return (
    <FormDialog
      saving={saving}
      title={titleOf(template, isVersion)}
      subtitle={template?.name}
      submit={problems.length > 0 ? 'Upload the corrected file' : hasFile ? 'Upload' : 'Save'}
      onClose={onClose}
    >
      <div className="space-y-4 sm:col-span-2">
        {problems.length > 0 && (
          <div role="alert" className="space-y-2">
            <p>The file was saved, but can’t be used until this is corrected:</p>
            <Problems problems={problems} />
          </div>
        )}
        {hasName && (
          <>
            <TextField form={form} name="name" label="Name" required />
            <fieldset>
              <legend className="pb-1 text-sm font-medium">For matters of these types</legend>
              {caseTypes.map((type) => (
                <Checkbox key={type} label={type} value={type} {...form.register('types')} />
              ))}
              <p className="text-note text-ink-3">Choose none for every matter.</p>
            </fieldset>
            {template && (
              <CheckboxField
                form={form}
                name="active"
                label="In use"
                hint="Hidden from others while not in use."
              />
            )}
          </>
        )}
        {hasFile && (
          <Controller
            control={form.control}
            name="file"
            render={({ field, fieldState }) => (
              <FileDrop
                what="Word file"
                accept=".docx"
                file={field.value}
                error={fieldState.error?.message}
                onFile={(file) => {
                  field.onChange(file);
                  if (hasName && form.getValues('name') === '')
                    form.setValue('name', file.name.replace(/\.docx$/i, ''), {
                      shouldDirty: true,
                    });
                }}
              />
            )}
          />
        )}
      </div>
    </FormDialog>
  );
}

/** The form, and the problems of the file that was sent last. */
function useTemplate({ template, isVersion = false, onClose }: TemplateDialogProps) {
  const [of, setOf] = useState(template);
  const [problems, setProblems] = useState<readonly TemplateProblem[]>([]);
  const hasFile = of === null || isVersion || problems.length > 0;
  const now = useMemo(() => toValues(template), [template]);
  const saving = useSave<Values, Values>(
    (values) => {
      const message = hasFile ? refusalOf(values.file) : null;
      return message === null
        ? { values, errors: {} }
        : { values: {}, errors: { file: { type: 'file', message } } };
    },
    now,
    async ({ file, ...body }, _key, form) => {
      if (file === null) {
        const { file: _, ...before } = now;
        const changed = changedMembers(before, body);
        if (of && Object.keys(changed).length > 0)
          await changeTemplate({ params: { id: of.id }, body: changed });
        return onClose();
      }
      const to = of ? { id: of.id } : { name: body.name, types: body.types.join(',') };
      const uploaded = await sendTemplate(file, to).catch(showRefusalAt(form, 'file'));
      if (uploaded.problems.length === 0) {
        toast.success(of ? 'Version added' : 'Template added');
        return onClose();
      }
      setOf(uploaded.template);
      setProblems(uploaded.problems);
      // The file was saved with the name and types.
      resetToSaved(form, { ...body, file }, { ...body, file: null });
    },
  );
  useOthersChanges(saving.form, template && !isVersion ? now : null);
  return { saving, hasFile, problems };
}

function toValues(template: Template | null): Values {
  const { name, types, active } = template ?? { name: '', types: [], active: true };
  return { name, types: [...types], active, file: null };
}

function titleOf(template: Template | null, isVersion: boolean): string {
  if (!template) return 'Add template';
  return isVersion ? 'New version' : 'Edit template';
}

/** Why a file is not sent; null if it is. */
function refusalOf(file: File | null): string | null {
  if (!file) return 'Choose a Word file';
  return file.size > TEMPLATE_BYTES_MAX ? 'The file can be up to 20 MB' : null;
}

/** The versions of a template, each to download. */
export function VersionsDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const { id, name, version, versions } = template;
  return (
    <Dialog open title="Versions" subtitle={name} onClose={onClose} footer={<DialogClose />}>
      <ol aria-label="Versions, newest first" className="-my-3 divide-y divide-line">
        {versions.map(({ n, by, at, problems }) => (
          <li key={n} className="space-y-2 py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <div>
                <p className="flex items-center gap-2 font-medium">
                  Version {n}
                  {n === version && <Chip tone="accent">In use</Chip>}
                </p>
                <p className="text-sm text-ink-2">
                  {`${by ? fullName(by) : 'Came with Matterdesk'} · `}
                  <time dateTime={at} title={exactMoment(at)}>
                    {fullMoment(at)}
                  </time>
                </p>
              </div>
              <a
                href={`/api/v1/templates/${encodeURIComponent(id)}/file?version=${n}`}
                download
                aria-label={`Download version ${n}`}
                className="link text-sm"
              >
                Download
              </a>
            </div>
            <Problems problems={problems} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

/** Problems of a version with their places; nothing for one that can be used. */
export function Problems({ problems }: { problems: readonly TemplateProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Problems" className="divide-y divide-line border-y border-line text-sm">
      {problems.map(({ place, message }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same may be wrong twice in one place
        <li key={at} className="grid grid-cols-[7rem_1fr] gap-3 py-1.5">
          <span className="text-ink-2">{place}</span>
          <span className="wrap-anywhere">{message}</span>
        </li>
      ))}
    </ul>
  );
}
