import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsQuery } from '../api/queries';

const searchDelayMs = 200;

/** Characters of the longest tag. */
const maxLength = 50;

/** A text that is typed, and a function that changes it. */
export type FieldText = readonly [text: string, onChange: (text: string) => void];

/**
 * Finds tags of a project for a field: the first ones by name, and if the project has more, those that contain what is typed.
 * @param chosen the text of the field before somebody types
 * @param text the text and its setter, if the caller keeps them
 */
export function useTagSuggestions(
  projectId: string,
  { enabled = true, chosen = '', text }: { enabled?: boolean; chosen?: string | undefined; text?: FieldText } = {},
) {
  const own = useState(chosen);
  const [searchValue, onSearchChange] = text ?? own;
  const typed = searchValue === chosen ? '' : searchValue.trim().slice(0, maxLength);
  const [search] = useDebouncedValue(typed, searchDelayMs);
  const first = useQuery({ ...tagsQuery(projectId), enabled }).data;
  const hasMore = first?.pagination.hasNextPage === true;
  const isSearched = hasMore && search !== '';
  const page = useQuery({ ...tagsQuery(projectId, search), enabled: enabled && isSearched }).data;
  const tags = ((isSearched ? page : first) ?? first)?.data ?? [];
  return {
    tags,
    /** Whether the project has tags that are not among the first ones. */
    hasMore,
    hasTags: first !== undefined && first.data.length > 0,
    field: { searchValue, onSearchChange },
  };
}
