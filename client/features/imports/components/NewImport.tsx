import { useRef, useState } from 'react';
import { Link, Navigate } from 'react-router';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { buttonClass } from '../../../ui/button-class.ts';
import { Field } from '../../../ui/Field.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { type NewImport as State, useNewImport } from '../hooks/use-new-import.ts';
import { importProfiles } from '../api.ts';
import { ALL, type Profiles } from '../slice.ts';
import { FilesField } from './FilesField.tsx';
import { Steps } from './Steps.tsx';
import { Trail } from './Trail.tsx';
import { TwoColumns } from './TwoColumns.tsx';
import { ADDED, addressOf, NEW_IMPORT } from '../rules.ts';

const stopUpload = {
  title: 'Stop the upload?',
  confirmLabel: 'Stop upload',
  cancelLabel: 'Keep uploading',
};

/** The first step: the system that is left, and its export. */
export function NewImport() {
  const profiles = useResource(importProfiles, ALL);
  const state = useNewImport();
  const [added, setAdded] = useState<string | null>(null);
  const isSending = state.share !== null;
  const next = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    state.cancel();
    // Its own button leaves with the upload.
    next.current?.focus();
  };
  const send = async () => setAdded((await state.send())?.id ?? null);
  // Once the question before leaving has left the page.
  if (added !== null) return <Navigate to={addressOf(added)} state={ADDED} replace />;
  return (
    <>
      <PageHeader
        title="Move in"
        trail={<Trail isBelow />}
        actions={
          <>
            {isSending ? (
              <Button onClick={cancel}>Cancel upload</Button>
            ) : (
              <Link to={paths.imports} className={buttonClass()}>
                Back
              </Link>
            )}
            <Button
              ref={next}
              variant="primary"
              busy={isSending}
              disabled={!state.canSend}
              {...(!state.canSend && { title: 'Choose the system and its files first.' })}
              onClick={() => void send()}
            >
              Continue
            </Button>
          </>
        }
      >
        Bring matters, contacts and documents from another system. Nothing is saved before the last
        step.
      </PageHeader>
      <div className="px-4 pt-3 pb-9 sm:px-9">
        <Steps current="files" reached="files" to={() => NEW_IMPORT} note="Step 1 of 4" />
        {profiles.data ? (
          <Choices profiles={profiles.data} state={state} />
        ) : (
          <Pending of={profiles} what="the systems">
            <Skeleton className="mt-6 h-5 w-48" />
            <div className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
              {Array.from({ length: 9 }, (_, at) => (
                <Skeleton key={at} className="h-11 w-full" />
              ))}
            </div>
          </Pending>
        )}
      </div>
      <LeaveQuestion isDirty={isSending} words={stopUpload} />
    </>
  );
}

function Choices({ profiles, state }: { profiles: Profiles; state: State }) {
  const chosen = profiles.profiles.find(({ key }) => key === state.profile);
  return (
    <TwoColumns aside={<HowTo profile={chosen} />}>
      <fieldset>
        <legend className="pb-2 text-heading font-semibold">Where are you moving from?</legend>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {profiles.profiles.map(({ key, name }) => (
            <label
              key={key}
              className="move-in-system flex min-h-11 items-center gap-2.5 rounded-card border border-line-strong bg-surface px-3 font-medium transition-colors hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="profile"
                value={key}
                checked={key === state.profile}
                disabled={state.share !== null}
                onChange={() => state.setProfile(key)}
                className="size-4 flex-none accent-accent outline-none"
              />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <section aria-labelledby="import-files" className="mt-7">
        <h2 id="import-files" className="pb-2 text-heading font-semibold">
          Files
        </h2>
        {profiles.hasFolder && (
          <div className="pb-3">
            <SourceChoice state={state} />
          </div>
        )}
        {state.source === 'files' ? (
          <FilesField state={state} />
        ) : (
          <Field
            label="Folder"
            hint="Below the server’s folder of exports (IMPORT_DIR). Links out of it are not followed."
            error={state.error}
          >
            <TextInput
              value={state.dir}
              placeholder="clio-2026-11"
              autoComplete="off"
              onChange={({ target }) => state.setDir(target.value)}
              className="max-w-96"
            />
          </Field>
        )}
        {!profiles.hasFolder && (
          <p className="mt-3 text-sm text-ink-2">
            Too much to upload? Put the export on the server and set IMPORT_DIR there: then you can
            name its folder here.
          </p>
        )}
      </section>
    </TwoColumns>
  );
}

const sources = [
  { value: 'files', label: 'On this computer' },
  { value: 'dir', label: 'In a folder on the server' },
] as const;

function SourceChoice({ state }: { state: State }) {
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-1">
      <legend className="sr-only">Where the files are</legend>
      {sources.map(({ value, label }) => (
        <label key={value} className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name="source"
            value={value}
            checked={state.source === value}
            disabled={state.share !== null}
            onChange={() => state.setSource(value)}
            className="size-4 flex-none accent-accent"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The way to the export of the chosen system, and what is in it. */
function HowTo({ profile }: { profile: Profiles['profiles'][number] | undefined }) {
  if (!profile)
    return (
      <>
        <h2 className="text-heading font-semibold">How to get the export</h2>
        <p className="mt-2 text-sm text-ink-2">Choose the system first.</p>
      </>
    );
  return (
    <>
      <h2 className="text-heading font-semibold">How to get the export</h2>
      <ul className="mt-2 space-y-2 text-sm text-ink-2">
        {profile.hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      {profile.files.length > 0 && (
        <>
          <h3 className="mt-5 font-semibold">Files that are read</h3>
          <ul className="mt-2 space-y-1 text-sm text-ink-2">
            {profile.files.map((file) => (
              <li key={file} className="wrap-anywhere">
                {file}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
