import Download from 'lucide-react/icons/download';
import ImageOff from 'lucide-react/icons/image-off';
import PostalMime, { type Address } from 'postal-mime';
import { useState } from 'react';
import { saveFile } from '../../../core/download.ts';
import { useResource } from '../../../core/use-resource.ts';
import { fullMoment } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SafeHtml } from '../../../ui/SafeHtml.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { fileReader } from '../api.ts';
import { fileOf } from '../rules.preview.ts';
import type { ViewerProps } from '../rules.preview.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { ViewerBar } from './ViewerBar.tsx';

type ParsedMail = Awaited<ReturnType<typeof parseMail>>;

const reader = fileReader(parseMail);

/** An email file: its header, text and attachments. */
export function MailView({ shown, modes }: ViewerProps) {
  const { data: made, failure, refresh } = useResource(reader, fileOf(shown));
  const [blocked, setBlocked] = useState(0);
  const [areImagesAllowed, setAreImagesAllowed] = useState(false);
  return (
    <>
      <ViewerBar modes={modes}>
        {blocked > 0 && !areImagesAllowed && (
          <Button size="small" icon={ImageOff} onClick={() => setAreImagesAllowed(true)}>
            Load images
          </Button>
        )}
      </ViewerBar>
      {failure ? (
        <ErrorState title="Couldn’t load the email" detail={failure.message} onRetry={refresh} />
      ) : made ? (
        <div className="min-h-0 flex-1 overflow-y-auto bg-surface">
          <Head mail={made} />
          {made.files.length > 0 && <Attachments files={made.files} />}
          <Words mail={made} areImagesAllowed={areImagesAllowed} onBlocked={setBlocked} />
        </div>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Head({ mail }: { mail: ParsedMail }) {
  const { subject, date, people } = mail;
  return (
    <div className="border-b border-line px-4 py-4 sm:px-6">
      <h3 className="text-heading font-semibold wrap-anywhere">
        <bdi>{subject || '(no subject)'}</bdi>
      </h3>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm">
        {[...people, ['Date', date] as const].map(([label, value]) =>
          value === '' ? null : (
            <div key={label} className="contents">
              <dt className="text-ink-3">{label}</dt>
              <dd className="wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

interface WordsProps {
  mail: ParsedMail;
  areImagesAllowed: boolean;
  onBlocked: (images: number) => void;
}

function Words({ mail, areImagesAllowed, onBlocked }: WordsProps) {
  if (mail.html === '')
    return (
      <p className="px-4 py-5 whitespace-pre-wrap wrap-anywhere sm:px-6">
        {mail.text.trim() || 'This email has no text.'}
      </p>
    );
  return (
    <div className="sm:px-2">
      <SafeHtml
        html={mail.html}
        title="Message"
        allowRemoteImages={areImagesAllowed}
        inlineImages={mail.images}
        onBlocked={onBlocked}
      />
    </div>
  );
}

function Attachments({ files }: { files: ParsedMail['files'] }) {
  return (
    <ul
      aria-label="Attachments"
      className="flex flex-wrap gap-2 border-b border-line px-4 py-3 sm:px-6"
    >
      {files.map(({ name, blob }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may have one name, and they never move
        <li key={at} className="max-w-full">
          <button
            type="button"
            aria-label={`Download ${name}`}
            onClick={() => saveFile(blob, name)}
            className="flex min-h-8 max-w-full items-center gap-2 rounded-control border border-line px-2.5 py-1 text-sm hover:bg-hover pointer-coarse:min-h-11"
          >
            <Download className="text-ink-3" />
            <bdi className="truncate">{name}</bdi>
            <span className="flex-none text-ink-3 tabular-nums">{sizeInWords(blob.size)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

async function parseMail(file: Blob) {
  const mail = await PostalMime.parse(await file.arrayBuffer(), {
    // Otherwise the text of a forwarded message would mix with this one's.
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
  });
  const parts = mail.attachments.map(({ filename, mimeType, content, contentId, related }) => ({
    name: filename || (mimeType === 'message/rfc822' ? 'message.eml' : 'attachment'),
    blob: new Blob([content as ArrayBuffer], { type: mimeType }),
    id: contentId?.replaceAll(/^<|>$/g, ''),
    isInline: related === true && mimeType.startsWith('image/'),
  }));
  return {
    subject: mail.subject ?? '',
    date: fullMoment(mail.date ?? ''),
    people: [
      ['From', inWords(mail.from ? [mail.from] : [])],
      ['To', inWords(mail.to)],
      ['Cc', inWords(mail.cc)],
      ['Reply to', inWords(mail.replyTo)],
    ] as const,
    html: mail.html ?? '',
    text: mail.text ?? '',
    files: parts.filter(({ isInline }) => !isInline),
    images: Object.fromEntries(await Promise.all(parts.flatMap(toImage))),
  };
}

/** The content id and URL of an inline image. */
function toImage({ id, blob }: { id: string | undefined; blob: Blob }) {
  if (id === undefined || !/^image\/(png|jpe?g|gif|webp|bmp)$/.test(blob.type)) return [];
  return [readAddress(blob).then((address) => [id, address] as const)];
}

function readAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('Couldn’t read the image')));
    reader.readAsDataURL(blob);
  });
}

function inWords(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap(({ name, address, group }) =>
      group
        ? [`${name}: ${inWords(group)}`]
        : [name && address ? `${name} <${address}>` : name || address],
    )
    .join(', ');
}
