import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { IconSearch } from './icons';

const searchDelayMs = 250;

/** Searches a list by the text that its address contains. */
export function SearchField({
  label,
  search,
  onSearch,
}: {
  label: string;
  /** As the address has it. */
  search: string | undefined;
  onSearch: (search: string | undefined) => void;
}) {
  const [text, setText] = useState(search ?? '');
  const [inAddress, setInAddress] = useState(search);
  const [sent, setSent] = useState(search);
  const send = useDebouncedCallback((value: string) => {
    const next = value.trim() || undefined;
    setSent(next);
    onSearch(next);
  }, searchDelayMs);
  if (search !== inAddress) {
    setInAddress(search);
    // Follows the address if something else changed it, and keeps letters that were typed meanwhile.
    if (search !== sent) {
      setSent(search);
      setText(search ?? '');
    }
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      flex="1 1 14rem"
      maw={420}
      type="search"
    />
  );
}
