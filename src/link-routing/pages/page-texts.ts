import { markup, type Markup } from '../../shared/markup';

/** The languages of pages, by their tags (BCP 47). */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'pl', 'ja'] as const;

export type PageLanguage = (typeof pageLanguages)[number];

interface Message {
  title: string;
  text: string;
}

/** The texts of pages in one language. Those with an app are sentences around its name. */
interface PageTexts {
  open: string;
  openInApp: string;
  openInBrowser: string;
  continue: string;
  belongsInApp: (app: Markup) => Markup;
  getTheApp: string;
  continueWithoutCopying: string;
  /** Says what the button with the text `getTheApp` does. */
  copies: (app: Markup) => Markup;
  copiesNothing: string;
  appStore: string;
  playStore: string;
  noPage: string;
  qrCode: string;
  onYourPhone: string;
  scanCode: string;
  notFound: Message;
  disabled: Message;
  expired: Message;
  unavailable: Message;
  notAllowed: Message;
}

export const pageTexts: Record<PageLanguage, PageTexts> = {
  en: {
    open: 'Open',
    openInApp: 'Open in app',
    openInBrowser: 'Open in browser',
    continue: 'Continue',
    belongsInApp: (app) => markup`This link belongs in ${app}. Without the app, continue here.`,
    getTheApp: 'Get the app',
    continueWithoutCopying: 'Continue without copying',
    copies: (app) =>
      markup`“Get the app” copies this link and a code that works once to your clipboard, so that ${app} can open this link after it is installed.`,
    copiesNothing: 'JavaScript is off in this browser, so nothing is copied.',
    appStore: 'Download on the App Store',
    playStore: 'Get it on Google Play',
    noPage: 'This link has no page for your device.',
    qrCode: 'QR code of this link',
    onYourPhone: 'On your phone',
    scanCode: 'Scan the code with the camera to open this link there.',
    notFound: { title: 'Page not found', text: 'There is no link at this address.' },
    disabled: {
      title: 'This link is disabled',
      text: 'Its owner has switched it off. Please ask where you found it.',
    },
    expired: {
      title: 'This link has ended',
      text: 'Its owner has set an end, which has passed.',
    },
    unavailable: {
      title: 'Back in a moment',
      text: 'This link cannot be opened right now. Please try again shortly.',
    },
    notAllowed: { title: 'Not allowed', text: 'A link can only be opened.' },
  },
  de: {
    open: 'Öffnen',
    openInApp: 'In der App öffnen',
    openInBrowser: 'Im Browser öffnen',
    continue: 'Weiter',
    belongsInApp: (app) => markup`Dieser Link gehört zu ${app}. Ohne die App geht es hier weiter.`,
    getTheApp: 'App laden',
    continueWithoutCopying: 'Weiter ohne Kopieren',
    copies: (app) =>
      markup`„App laden“ kopiert diesen Link und einen einmal gültigen Code in die Zwischenablage, damit ${app} den Link nach der Installation öffnen kann.`,
    copiesNothing: 'JavaScript ist in diesem Browser ausgeschaltet, daher wird nichts kopiert.',
    appStore: 'Laden im App Store',
    playStore: 'Jetzt bei Google Play',
    noPage: 'Dieser Link hat keine Seite für dieses Gerät.',
    qrCode: 'QR-Code dieses Links',
    onYourPhone: 'Auf dem Smartphone',
    scanCode: 'Den Code mit der Kamera scannen, um diesen Link dort zu öffnen.',
    notFound: { title: 'Seite nicht gefunden', text: 'Unter dieser Adresse gibt es keinen Link.' },
    disabled: {
      title: 'Dieser Link ist deaktiviert',
      text: 'Sein Besitzer hat ihn abgeschaltet. Bitte fragen Sie dort nach, wo Sie ihn gefunden haben.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Sein Besitzer hat ein Ende gesetzt, das erreicht ist.',
    },
    unavailable: {
      title: 'Gleich wieder da',
      text: 'Dieser Link lässt sich gerade nicht öffnen. Bitte versuchen Sie es in Kürze erneut.',
    },
    notAllowed: { title: 'Nicht erlaubt', text: 'Ein Link kann nur geöffnet werden.' },
  },
  fr: {
    open: 'Ouvrir',
    openInApp: 'Ouvrir dans l’app',
    openInBrowser: 'Ouvrir dans le navigateur',
    continue: 'Continuer',
    belongsInApp: (app) => markup`Ce lien s’ouvre dans ${app}. Sans l’app, continuez ici.`,
    getTheApp: 'Obtenir l’app',
    continueWithoutCopying: 'Continuer sans copier',
    copies: (app) =>
      markup`«\u00a0Obtenir l’app\u00a0» copie ce lien et un code à usage unique dans votre presse-papiers, pour que ${app} puisse ouvrir ce lien après son installation.`,
    copiesNothing: 'JavaScript est désactivé dans ce navigateur, donc rien n’est copié.',
    appStore: 'Télécharger dans l’App Store',
    playStore: 'Disponible sur Google Play',
    noPage: 'Ce lien n’a pas de page pour votre appareil.',
    qrCode: 'QR code de ce lien',
    onYourPhone: 'Sur votre téléphone',
    scanCode: 'Scannez le code avec l’appareil photo pour y ouvrir ce lien.',
    notFound: { title: 'Page introuvable', text: 'Il n’y a pas de lien à cette adresse.' },
    disabled: {
      title: 'Ce lien est désactivé',
      text: 'Son propriétaire l’a désactivé. Renseignez-vous là où vous l’avez trouvé.',
    },
    expired: {
      title: 'Ce lien a expiré',
      text: 'Son propriétaire a fixé une date de fin, qui est passée.',
    },
    unavailable: {
      title: 'De retour dans un instant',
      text: 'Ce lien ne peut pas être ouvert pour le moment. Réessayez dans quelques instants.',
    },
    notAllowed: { title: 'Non autorisé', text: 'Un lien peut seulement être ouvert.' },
  },
  es: {
    open: 'Abrir',
    openInApp: 'Abrir en la app',
    openInBrowser: 'Abrir en el navegador',
    continue: 'Continuar',
    belongsInApp: (app) => markup`Este enlace se abre en ${app}. Si no tienes la app, continúa aquí.`,
    getTheApp: 'Obtener la app',
    continueWithoutCopying: 'Continuar sin copiar',
    copies: (app) =>
      markup`«Obtener la app» copia este enlace y un código de un solo uso en el portapapeles, para que ${app} pueda abrir el enlace después de instalarse.`,
    copiesNothing: 'JavaScript está desactivado en este navegador, así que no se copia nada.',
    appStore: 'Descargar en el App Store',
    playStore: 'Disponible en Google Play',
    noPage: 'Este enlace no tiene ninguna página para tu dispositivo.',
    qrCode: 'Código QR de este enlace',
    onYourPhone: 'En tu teléfono',
    scanCode: 'Escanea el código con la cámara para abrir allí este enlace.',
    notFound: { title: 'Página no encontrada', text: 'No hay ningún enlace en esta dirección.' },
    disabled: {
      title: 'Este enlace está desactivado',
      text: 'Su propietario lo ha desactivado. Pregunta donde lo encontraste.',
    },
    expired: {
      title: 'Este enlace ha caducado',
      text: 'Su propietario fijó una fecha de fin, que ya pasó.',
    },
    unavailable: {
      title: 'Volvemos enseguida',
      text: 'Este enlace no se puede abrir en este momento. Vuelve a intentarlo en unos instantes.',
    },
    notAllowed: { title: 'No permitido', text: 'Un enlace solo se puede abrir.' },
  },
  pt: {
    open: 'Abrir',
    openInApp: 'Abrir no app',
    openInBrowser: 'Abrir no navegador',
    continue: 'Continuar',
    belongsInApp: (app) => markup`Este link é do app ${app}. Sem o app, continue aqui.`,
    getTheApp: 'Baixar o app',
    continueWithoutCopying: 'Continuar sem copiar',
    copies: (app) =>
      markup`“Baixar o app” copia este link e um código de uso único para a área de transferência, para que ${app} possa abrir o link depois de instalado.`,
    copiesNothing: 'O JavaScript está desativado neste navegador, por isso nada é copiado.',
    appStore: 'Baixar na App Store',
    playStore: 'Disponível no Google Play',
    noPage: 'Este link não tem página para o seu dispositivo.',
    qrCode: 'Código QR deste link',
    onYourPhone: 'No seu telefone',
    scanCode: 'Aponte a câmera para o código para abrir este link no telefone.',
    notFound: { title: 'Página não encontrada', text: 'Não há nenhum link neste endereço.' },
    disabled: {
      title: 'Este link está desativado',
      text: 'O proprietário desativou este link. Pergunte no lugar onde você o encontrou.',
    },
    expired: {
      title: 'Este link expirou',
      text: 'O proprietário definiu uma data final, que já passou.',
    },
    unavailable: {
      title: 'Voltamos já',
      text: 'Não é possível abrir este link agora. Tente novamente em instantes.',
    },
    notAllowed: { title: 'Não permitido', text: 'Um link só pode ser aberto.' },
  },
  it: {
    open: 'Apri',
    openInApp: 'Apri nell’app',
    openInBrowser: 'Apri nel browser',
    continue: 'Continua',
    belongsInApp: (app) => markup`Questo link si apre in ${app}. Senza l’app, continua qui.`,
    getTheApp: 'Scarica l’app',
    continueWithoutCopying: 'Continua senza copiare',
    copies: (app) =>
      markup`«Scarica l’app» copia negli appunti questo link e un codice monouso, così ${app} potrà aprire il link dopo l’installazione.`,
    copiesNothing: 'JavaScript è disattivato in questo browser, quindi non viene copiato nulla.',
    appStore: 'Scarica su App Store',
    playStore: 'Disponibile su Google Play',
    noPage: 'Questo link non ha una pagina per il tuo dispositivo.',
    qrCode: 'Codice QR di questo link',
    onYourPhone: 'Sul telefono',
    scanCode: 'Inquadra il codice con la fotocamera per aprire il link sul telefono.',
    notFound: { title: 'Pagina non trovata', text: 'A questo indirizzo non c’è nessun link.' },
    disabled: {
      title: 'Questo link è disattivato',
      text: 'Il proprietario lo ha disattivato. Chiedi dove lo hai trovato.',
    },
    expired: {
      title: 'Questo link è scaduto',
      text: 'Il proprietario ha fissato una data di fine, che è passata.',
    },
    unavailable: {
      title: 'Torniamo subito',
      text: 'Al momento non è possibile aprire questo link. Riprova tra poco.',
    },
    notAllowed: { title: 'Non consentito', text: 'Un link si può solo aprire.' },
  },
  pl: {
    open: 'Otwórz',
    openInApp: 'Otwórz w aplikacji',
    openInBrowser: 'Otwórz w przeglądarce',
    continue: 'Kontynuuj',
    belongsInApp: (app) => markup`Ten link otwiera się w aplikacji ${app}. Jeśli jej nie masz, kontynuuj tutaj.`,
    getTheApp: 'Pobierz aplikację',
    continueWithoutCopying: 'Kontynuuj bez kopiowania',
    copies: (app) =>
      markup`„Pobierz aplikację” kopiuje do schowka ten link i jednorazowy kod, aby aplikacja ${app} mogła otworzyć link po instalacji.`,
    copiesNothing: 'JavaScript jest wyłączony w tej przeglądarce, więc nic nie zostanie skopiowane.',
    appStore: 'Pobierz w App Store',
    playStore: 'Pobierz z Google Play',
    noPage: 'Ten link nie ma strony dla tego urządzenia.',
    qrCode: 'Kod QR tego linku',
    onYourPhone: 'Na telefonie',
    scanCode: 'Zeskanuj kod aparatem, aby otworzyć ten link na telefonie.',
    notFound: { title: 'Nie znaleziono strony', text: 'Pod tym adresem nie ma linku.' },
    disabled: {
      title: 'Ten link jest wyłączony',
      text: 'Wyłączył go właściciel. Zapytaj w miejscu, z którego pochodzi link.',
    },
    expired: {
      title: 'Ten link wygasł',
      text: 'Jego właściciel ustawił datę końca, która minęła.',
    },
    unavailable: {
      title: 'Zaraz wracamy',
      text: 'Tego linku nie można teraz otworzyć. Spróbuj ponownie za chwilę.',
    },
    notAllowed: { title: 'Niedozwolone', text: 'Link można tylko otworzyć.' },
  },
  ja: {
    open: '開く',
    openInApp: 'アプリで開く',
    openInBrowser: 'ブラウザで開く',
    continue: '続ける',
    belongsInApp: (app) => markup`このリンクは${app}で開けます。アプリがない場合は、このまま続けてください。`,
    getTheApp: 'アプリを入手',
    continueWithoutCopying: 'コピーせずに続ける',
    copies: (app) =>
      markup`「アプリを入手」をタップすると、このリンクと1回限りのコードがクリップボードにコピーされ、インストール後に${app}でこのリンクを開けます。`,
    copiesNothing: 'このブラウザではJavaScriptが無効なため、何もコピーされません。',
    appStore: 'App Storeからダウンロード',
    playStore: 'Google Playで入手',
    noPage: 'このリンクには、お使いの端末向けのページがありません。',
    qrCode: 'このリンクのQRコード',
    onYourPhone: 'スマートフォンで開く',
    scanCode: 'カメラでコードを読み取ると、スマートフォンでこのリンクを開けます。',
    notFound: { title: 'ページが見つかりません', text: 'このアドレスにリンクはありません。' },
    disabled: {
      title: 'このリンクは無効です',
      text: '所有者がこのリンクを無効にしました。リンクの掲載元にお問い合わせください。',
    },
    expired: {
      title: 'このリンクの有効期間は終了しました',
      text: '所有者が設定した終了日時を過ぎています。',
    },
    unavailable: {
      title: 'しばらくお待ちください',
      text: '現在このリンクを開けません。しばらくしてからもう一度お試しください。',
    },
    notAllowed: { title: '許可されていません', text: 'リンクは開くことしかできません。' },
  },
};
