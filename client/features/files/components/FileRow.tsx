import FileImage from 'lucide-react/icons/file-image';
import FileText from 'lucide-react/icons/file-text';
import Mail from 'lucide-react/icons/mail';
import PanelRight from 'lucide-react/icons/panel-right';
import Trash2 from 'lucide-react/icons/trash-2';
import { memo } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { nameOf } from '../api.ts';
import { pagesInWords } from '../rules.ts';
import { libraryOf } from '../slice.ts';
import { TrainingControl } from './TrainingControl.tsx';
import { useLibrary } from './use-library.ts';

/** A file with its link, details and training. */
export const FileRow = memo(function FileRow({ folder, url }: { folder: string; url: string }) {
  const { caseId, onDelete, onShow } = useLibrary();
  const detail = useAppSelector(({ files }) => libraryOf(files, caseId)?.details[url]);
  const name = detail?.name ?? nameOf(url);
  const Icon = iconOf(name);
  const facts = detail ? [pagesInWords(detail.pages), sizeInWords(detail.size)] : [];
  const { training } = detail ?? {};
  return (
    <div className="group flex min-h-[38px] flex-wrap items-center gap-x-2.5 rounded-small pl-1 hover:bg-hover">
      <Icon className="text-ink-3" />
      <a
        href={url}
        target="_blank"
        rel="noopener"
        className="min-w-0 flex-1 basis-40 truncate py-1.5 underline-offset-3 hover:underline"
      >
        <bdi>{name}</bdi>
      </a>
      {training?.status === 'error' && (
        <span className="order-last basis-full pb-1.5 pl-6.5 text-note text-red wrap-anywhere">
          {training.error ?? 'Training failed'}
        </span>
      )}
      <span className="flex-none text-sm text-ink-3 tabular-nums max-sm:hidden">
        {facts.filter(Boolean).join(' · ')}
      </span>
      <IconButton
        label={`Preview ${name}`}
        icon={PanelRight}
        variant="quiet"
        size="small"
        onClick={() => onShow({ folder, name })}
      />
      <TrainingControl folder={folder} url={url} name={name} training={training} />
      <IconButton
        label={`Delete ${name}`}
        icon={Trash2}
        variant="quiet"
        size="small"
        onClick={() => void onDelete({ folder, url })}
      />
    </div>
  );
});

function iconOf(name: string) {
  if (/\.(eml|msg)$/i.test(name)) return Mail;
  return /\.(png|jpe?g|tiff?|gif|webp)$/i.test(name) ? FileImage : FileText;
}
