import { preferredLanguage } from '../../shared/preferred-language';
import { type PageLanguage, pageLanguages } from './page-texts';

export const pageLanguageOf = (acceptLanguage: string | undefined): PageLanguage =>
  preferredLanguage(acceptLanguage, pageLanguages);
