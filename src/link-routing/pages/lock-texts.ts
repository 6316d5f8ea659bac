import type { PageLanguage } from './page-texts';

interface LockTexts {
  passwordTitle: string;
  passwordText: string;
  password: string;
  wrong: string;
  busy: string;
  buttonTitle: string;
  buttonText: string;
}

export const lockTexts: Record<PageLanguage, LockTexts> = {
  en: {
    passwordTitle: 'Password required',
    passwordText: 'This link is protected. Enter the password that you got with it.',
    password: 'Password',
    wrong: 'The password is not correct.',
    busy: 'There were too many attempts. Please wait a minute.',
    buttonTitle: 'Open this link?',
    buttonText: 'It can be opened a limited number of times. The button uses one of them.',
  },
  de: {
    passwordTitle: 'Passwort erforderlich',
    passwordText: 'Dieser Link ist geschützt. Geben Sie das Passwort ein, das Sie mit ihm bekommen haben.',
    password: 'Passwort',
    wrong: 'Das Passwort ist nicht richtig.',
    busy: 'Es gab zu viele Versuche. Bitte warten Sie eine Minute.',
    buttonTitle: 'Diesen Link öffnen?',
    buttonText: 'Er lässt sich nur begrenzt oft öffnen. Der Knopf verbraucht ein Mal davon.',
  },
  fr: {
    passwordTitle: 'Mot de passe requis',
    passwordText: 'Ce lien est protégé. Saisissez le mot de passe que vous avez reçu avec lui.',
    password: 'Mot de passe',
    wrong: 'Le mot de passe n’est pas correct.',
    busy: 'Il y a eu trop de tentatives. Attendez une minute.',
    buttonTitle: 'Ouvrir ce lien\u00a0?',
    buttonText: 'Il peut être ouvert un nombre limité de fois. Le bouton en utilise une.',
  },
  es: {
    passwordTitle: 'Se necesita una contraseña',
    passwordText: 'Este enlace está protegido. Escribe la contraseña que recibiste con él.',
    password: 'Contraseña',
    wrong: 'La contraseña no es correcta.',
    busy: 'Ha habido demasiados intentos. Espera un minuto.',
    buttonTitle: '¿Abrir este enlace?',
    buttonText: 'Se puede abrir un número limitado de veces. El botón usa una de ellas.',
  },
  pt: {
    passwordTitle: 'Senha necessária',
    passwordText: 'Este link está protegido. Digite a senha que você recebeu com ele.',
    password: 'Senha',
    wrong: 'A senha não está correta.',
    busy: 'Houve tentativas demais. Espere um minuto.',
    buttonTitle: 'Abrir este link?',
    buttonText: 'Ele pode ser aberto um número limitado de vezes. O botão usa uma delas.',
  },
  it: {
    passwordTitle: 'Password richiesta',
    passwordText: 'Questo link è protetto. Inserisci la password che hai ricevuto insieme al link.',
    password: 'Password',
    wrong: 'La password non è corretta.',
    busy: 'Ci sono stati troppi tentativi. Attendi un minuto.',
    buttonTitle: 'Aprire questo link?',
    buttonText: 'Si può aprire un numero limitato di volte. Il pulsante ne usa una.',
  },
  pl: {
    passwordTitle: 'Wymagane hasło',
    passwordText: 'Ten link jest chroniony. Wpisz hasło, które otrzymano razem z nim.',
    password: 'Hasło',
    wrong: 'Hasło jest nieprawidłowe.',
    busy: 'Było zbyt wiele prób. Odczekaj minutę.',
    buttonTitle: 'Otworzyć ten link?',
    buttonText: 'Można go otworzyć ograniczoną liczbę razy. Przycisk zużywa jeden raz.',
  },
  ja: {
    passwordTitle: 'パスワードが必要です',
    passwordText: 'このリンクは保護されています。リンクと一緒に受け取ったパスワードを入力してください。',
    password: 'パスワード',
    wrong: 'パスワードが正しくありません。',
    busy: '試行回数が多すぎます。1分ほどお待ちください。',
    buttonTitle: 'このリンクを開きますか？',
    buttonText: 'このリンクを開ける回数には限りがあります。ボタンを押すと1回分が使われます。',
  },
};
