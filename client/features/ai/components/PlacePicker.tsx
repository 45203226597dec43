import Files from 'lucide-react/icons/files';
import { useMemo } from 'react';
import { Combobox } from '../../../ui/Combobox.tsx';
import { type Place, placeOptions, type Within, withinOf } from '../rules.ts';

interface PlacePickerProps {
  places: readonly Place[];
  within: Within | undefined;
  onChange: (within: Within | undefined) => void;
}

/** Limits a question to one folder or file of the case. */
export function PlacePicker({ places, within, onChange }: PlacePickerProps) {
  const options = useMemo(() => placeOptions(places), [places]);
  const chosen = options.find((option) => isSame(withinOf(option), within)) ?? null;
  return (
    <div className="flex-none border-b border-line px-2.5 py-2">
      <Combobox
        aria-label="Where to look"
        icon={Files}
        placeholder="All trained files"
        options={options}
        value={chosen}
        onChange={(option) => onChange(option ? withinOf(option) : undefined)}
      />
    </div>
  );
}

function isSame(place: Within, other: Within | undefined): boolean {
  return place.folder === other?.folder && place.name === other.name;
}
