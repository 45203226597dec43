import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { buttonClass } from '../../../ui/button-class.ts';
import { isPicture } from '../rules.ts';

/** Shows an image, which opens in a new tab; anything else is a download link. */
export function Media({ url, mimeType }: { url: string; mimeType: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (isPicture(mimeType) && !hasFailed)
    return (
      <a href={url} target="_blank" rel="noreferrer" className="block max-w-[80%] rounded-pop">
        <img
          src={url}
          alt={`Attachment ${mimeType}, opens in a new tab`}
          loading="lazy"
          onError={() => setHasFailed(true)}
          className="h-44 max-w-full min-w-24 rounded-pop border border-line bg-sunken object-contain"
        />
      </a>
    );
  return (
    <a href={url} download className={buttonClass({ size: 'small' })}>
      <Download /> Attachment ({mimeType})
    </a>
  );
}
