import { preferredLanguage } from '../shared/preferred-language';
import { type PageLanguage, pageLanguages } from './pages/page-texts';

export const pageLanguageOf = (acceptLanguage: string | undefined): PageLanguage =>
  preferredLanguage(acceptLanguage, pageLanguages);
