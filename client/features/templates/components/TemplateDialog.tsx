import { useState } from 'react';
import { caseTypes, type CaseType } from '@matterdesk/contract/cases.ts';
import {
  TEMPLATE_BYTES,
  type Template,
  type TemplateProblem,
} from '@matterdesk/contract/templates.ts';
import { CallError } from '../../../api.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeTemplate, sendTemplate } from '../api.ts';
import { Problems } from './Problems.tsx';

interface TemplateDialogProps {
  /** Null for a new one. */
  template: Template | null;
  /** Whether a newer file of it is added, rather than its name and types changed. */
  isVersion?: boolean;
  onClose: () => void;
}

/** Adds a template or a version of one, with its problems in place, or changes what it is called and for. */
export function TemplateDialog({ template, isVersion = false, onClose }: TemplateDialogProps) {
  const [of, setOf] = useState(template);
  const [name, setName] = useState(template?.name ?? '');
  const [types, setTypes] = useState<readonly CaseType[]>(template?.types ?? []);
  const [isActive, setIsActive] = useState(template?.active ?? true);
  const [file, setFile] = useState<File | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<readonly TemplateProblem[]>([]);
  const { isBusy, attempt } = useAttempt();
  const hasFile = of === null || isVersion || problems.length > 0;
  const hasName = !isVersion && problems.length === 0;
  const upload = async (sent: File) => {
    const to = of ? { id: of.id } : { name, types: types.join(',') };
    const uploaded = await sendTemplate(sent, to);
    setOf(uploaded.template);
    setProblems(uploaded.problems);
    setFile(null);
    if (uploaded.problems.length > 0) return;
    toast.success(of ? 'Version added' : 'Template added');
    onClose();
  };
  const change = async (id: string) => {
    await changeTemplate({ params: { id }, body: { name, types: [...types], active: isActive } });
    onClose();
  };
  const submit = () => {
    setErrors({});
    if (hasFile && !file) return setErrors({ file: 'Choose a Word file' });
    if (file && file.size > TEMPLATE_BYTES)
      return setErrors({ file: 'The file can have up to 20 MB' });
    const work = hasFile && file ? () => upload(file) : () => change(of?.id ?? '');
    void attempt({ name, types, isActive, file: file?.name }, () =>
      work().catch((error: unknown) => {
        if (error instanceof CallError) setErrors(errorsOf(error));
        throw error;
      }),
    );
  };
  return (
    <Dialog
      open
      title={titleOf(template, isVersion)}
      {...(template && { subtitle: template.name })}
      onClose={onClose}
      isDirty={file !== null || name !== (template?.name ?? '')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            {problems.length > 0 ? 'Upload the corrected file' : hasFile ? 'Upload' : 'Save'}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {problems.length > 0 && (
          <div role="alert" className="space-y-2">
            <p>The file is kept, and cannot be used before this is corrected:</p>
            <Problems problems={problems} />
          </div>
        )}
        {hasName && (
          <>
            <Field label="Name" required error={errors['name']}>
              <TextInput value={name} onChange={({ target }) => setName(target.value)} />
            </Field>
            <fieldset>
              <legend className="pb-1 text-sm font-medium">For matters of these types</legend>
              {caseTypes.map((type) => (
                <Checkbox
                  key={type}
                  label={type}
                  checked={types.includes(type)}
                  onChange={({ target }) =>
                    setTypes(
                      target.checked ? [...types, type] : types.filter((one) => one !== type),
                    )
                  }
                />
              ))}
              <p className="text-note text-ink-3">Without one it is for every matter.</p>
            </fieldset>
            {template && (
              <Checkbox
                label="In use"
                hint="Others do not see it while it is not in use."
                checked={isActive}
                onChange={({ target }) => setIsActive(target.checked)}
              />
            )}
          </>
        )}
        {hasFile && (
          <FileDrop
            what="Word file"
            accept=".docx"
            file={file}
            error={errors['file']}
            onFile={setFile}
          />
        )}
      </div>
    </Dialog>
  );
}

function titleOf(template: Template | null, isVersion: boolean): string {
  if (!template) return 'Add template';
  return isVersion ? 'New version' : 'Edit template';
}

/** A refusal that names no field is said at the file. */
function errorsOf({ errors, message }: CallError): Record<string, string> {
  if (errors.length === 0) return { file: message };
  return Object.fromEntries(errors.map((one) => [one.path, one.message]));
}
