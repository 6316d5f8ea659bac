import type { problems as english } from '../en/problems';

export const problems: Record<keyof typeof english, string> = {
  'problem.request': 'Die Anfrage',
  'problem.address': 'Adresse',
  'problem.entry': '{label}, Eintrag {number}',
  'problem.key': '{label}, {key}',
  'problem.invalid_json': '„{label}“ ist kein gültiges JSON. Korrigieren Sie es.',
  'problem.invalid_json.file': 'Die Datei ist kein gültiges JSON. Prüfen Sie, ob sie vollständig ist.',
  'problem.required': '„{label}“ ist leer. Geben Sie einen Wert ein.',
  'problem.invalid_type': '„{label}“ hat einen Wert anderer Art. Geben Sie ihn neu ein.',
  'problem.too_big': '„{label}“ ist zu groß. Kürzen Sie den Wert.',
  'problem.too_big.characters': '„{label}“ ist zu lang. Möglich sind höchstens {limit} Zeichen.',
  'problem.too_big.entries': '„{label}“ hat zu viele Einträge. Möglich sind höchstens {limit}.',
  'problem.too_big.number': '„{label}“ ist zu groß. Möglich ist höchstens {limit}.',
  'problem.too_small': '„{label}“ ist zu klein. Geben Sie mehr ein.',
  'problem.too_small.characters': '„{label}“ ist zu kurz. Geben Sie mindestens {limit} Zeichen ein.',
  'problem.too_small.entries': '„{label}“ hat zu wenige Einträge. Geben Sie mindestens {limit} ein.',
  'problem.too_small.number': '„{label}“ ist zu klein. Geben Sie mindestens {limit} ein.',
  'problem.invalid_format': '„{label}“ hat Zeichen, die sich nicht speichern lassen. Geben Sie den Text neu ein.',
  'problem.invalid_enum_value': '„{label}“ hat einen Wert, der nicht angeboten wird. Wählen Sie einen anderen.',
  'problem.unrecognized_key': 'Der Dienst nimmt „{label}“ nicht an. Laden Sie die Seite neu.',
  'format.url':
    '„{label}“ ist keine vollständige Web-Adresse. Geben Sie eine wie https://example.com/seite ein, ohne Benutzername und Passwort.',
  'format.destination':
    '„{label}“ ist keine vollständige Adresse. Geben Sie eine wie https://example.com/seite ein, ohne Benutzername und Passwort. Andere Schemata wie mailto erlauben die Einstellungen des Projekts.',
  'format.schemes':
    '„{label}“ erwartet Schemata in Kleinbuchstaben und ohne Doppelpunkt, etwa mailto. Schemata von Browsern und Skripten wie javascript sind nicht möglich.',
  'format.path':
    '„{label}“ besteht aus Buchstaben ohne Umlaute, Ziffern, - _ . ~ und einzelnen Schrägstrichen. Am Anfang steht ein Buchstabe oder eine Ziffer, und kein Teil endet mit einem Punkt. Namen wie robots.txt sind reserviert.',
  'format.listed': '„{label}“ steht nicht in der Liste. Wählen Sie etwas anderes.',
  'format.externalId':
    '„{label}“ darf nicht „.“ oder „..“ sein und keine Zeilenumbrüche oder andere Steuerzeichen haben.',
  'format.subdomain':
    '„{label}“ besteht aus Kleinbuchstaben, Ziffern und Bindestrichen. Ein Bindestrich steht weder am Anfang noch am Ende, und xn-- steht nicht am Anfang.',
  'format.hostPattern':
    '„{label}“ erwartet Hosts wie shop.example.com oder *.example.com, ohne https:// und ohne Pfad.',
  'format.origin': '„{label}“ braucht Ursprünge wie https://shop.example.com, in Kleinbuchstaben und ohne Pfad.',
  'format.hostname':
    '„{label}“ erwartet einen öffentlichen Hostnamen wie links.example.com, ohne Pfad. Hosts dieses Dienstes sind nicht möglich.',
  'format.bundleId':
    '„{label}“ besteht aus Buchstaben, Ziffern, Bindestrichen und Punkten, etwa com.example.shop. Am Anfang steht nicht die Team-ID.',
  'format.teamId': '„{label}“ hat zehn Großbuchstaben und Ziffern, etwa A1B2C3D4E5.',
  'format.appStoreId': '„{label}“ besteht nur aus Ziffern, etwa 1234567890.',
  'format.packageName': '„{label}“ hat mindestens zwei Teile aus Buchstaben, Ziffern und _, etwa com.example.shop.',
  'format.fingerprint':
    '„{label}“ ist kein SHA-256-Fingerabdruck. Er hat 32 Paare von Hex-Ziffern; SHA-1 und MD5 haben weniger.',
  'format.appPaths':
    '„{label}“ erwartet Muster wie /shop/*. Am Anfang steht ein Schrägstrich, und ein * steht nur am Ende.',
  'format.parameterName':
    '„{label}“ besteht aus Buchstaben ohne Umlaute, Ziffern, - _ und Punkten, höchstens 50 Zeichen. _via und deferred_link gehören dem Dienst.',
  'format.slug':
    '„{label}“ besteht aus Kleinbuchstaben, Ziffern, - und _. Am Anfang und am Ende steht ein Buchstabe oder eine Ziffer.',
  'format.date': '„{label}“ erwartet ein vollständiges Datum in der Zukunft.',
  'format.time': '„{label}“ erwartet ein Datum und eine Uhrzeit.',
  'format.version':
    '„{label}“ besteht aus Buchstaben ohne Umlaute, Ziffern und . _ + ( ) - wie in 1.2.3. Am Anfang steht ein Buchstabe oder eine Ziffer.',
  'format.eventTypes': '„{label}“ erwartet Typen wie link.updated, oder link.* für alle einer Art.',
  'format.secret': '„{label}“ enthält Leerzeichen oder Sonderzeichen. Kopieren Sie es noch einmal.',
  'format.apiUrl': '„{label}“ erwartet eine Adresse wie https://links.example.com, ohne Benutzername und Fragezeichen.',
  'refused.SUBDOMAIN_TAKEN': '„{label}“: Dieser Name ist vergeben. Wählen Sie einen anderen.',
  'refused.CUSTOM_PATH_EXISTS': '„{label}“: Ein anderer Link des Projekts hat diesen Pfad. Wählen Sie einen anderen.',
  'refused.EXTERNAL_ID_EXISTS': '„{label}“: Ein anderer Link des Projekts hat diese Id. Geben Sie eine andere ein.',
  'refused.TAG_EXISTS':
    '„{label}“: Das Projekt hat diesen Tag schon. Wählen Sie einen anderen Namen, oder führen Sie die Tags zusammen.',
  'refused.TEMPLATE_EXISTS': '„{label}“: Das Projekt hat diese Vorlage schon. Wählen Sie einen anderen Namen.',
  'refused.SLUG_EXISTS': '„{label}“: Ein anderer Link des Projekts hat diesen Namen. Wählen Sie einen anderen.',
  'refused.BUNDLE_ID_EXISTS': '„{label}“: Eine andere App des Projekts hat diese Kennung. Bearbeiten Sie jene App.',
  'refused.PACKAGE_NAME_EXISTS':
    '„{label}“: Eine andere App des Projekts hat diesen Paketnamen. Bearbeiten Sie jene App.',
  'refused.DOMAIN_EXISTS': '„{label}“: Das Projekt hat diese Domain schon. Sie steht in der Liste.',
  'refused.DOMAIN_TAKEN':
    '„{label}“: Ein anderes Projekt benutzt diese Domain. Entfernen Sie sie dort, oder entfernen Sie den TXT-Eintrag jenes Projekts und warten Sie einige Tage.',
  'refused.IOS_APP_NOT_FOUND': '„{label}“: Diese App gibt es nicht mehr. Wählen Sie eine andere.',
  'refused.ANDROID_APP_NOT_FOUND': '„{label}“: Diese App gibt es nicht mehr. Wählen Sie eine andere.',
  'refused.FORBIDDEN_PLAN': 'Ihr Tarif enthält dies nicht. Nötig ist der Tarif {plan}.',
  'refused.INVALID_INPUT':
    'Der Dienst nimmt die Anfrage nicht an. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'refused.FORBIDDEN_FIELD':
    'Der Dienst nimmt ein Feld der Anfrage nicht an. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'refused.UNAUTHORIZED': 'Ihre Anmeldung gilt nicht mehr. Melden Sie sich neu an.',
  'refused.AUTH_REQUIRED': 'Das dürfen nur Personen, die sich mit ihrer Organisation angemeldet haben.',
  'refused.ACCESS_DENIED': 'Dies gehört einem anderen Konto, oder eine Grenze Ihres Kontos ist erreicht.',
  'refused.limit': 'Die Grenze ist erreicht: {used} von {limit} sind in Gebrauch. Löschen Sie zuerst etwas.',
  'refused.limitOfPlan':
    'Die Grenze ist erreicht: {used} von {limit} sind in Gebrauch. Löschen Sie zuerst etwas, oder wechseln Sie zum Tarif {plan}.',
  'refused.formerSubdomains':
    'Das Projekt behält schon so viele frühere Subdomains wie möglich ({limit}). Geben Sie zuerst eine auf der Seite „Domains“ frei.',
  'refused.FORBIDDEN_CROSS_SCOPE': 'Etwas davon gehört zu einem anderen Projekt. Wählen Sie es neu.',
  'refused.NOT_FOUND': 'Es existiert nicht oder wurde gelöscht.',
  'refused.METHOD_NOT_ALLOWED':
    'Der Dienst kennt diese Aktion nicht. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'refused.REQUEST_TIMEOUT': 'Die Anfrage kam zu langsam an. Versuchen Sie es noch einmal.',
  'refused.RELEASE_EXISTS': '„{label}“: Die App hat diese Version schon.',
  'refused.BREAKS_RELEASED_APP': 'Die Änderung stört veröffentlichte Versionen von Apps. Sie wurde nicht ausgeführt.',
  'refused.LINKED_REFERENCES': 'Links benutzen sie noch: {links}. Wählen Sie dort zuerst eine andere.',
  'refused.DOMAIN_NOT_VERIFIED':
    'Die Domain ist nicht bestätigt. Legen Sie ihren TXT-Eintrag an, und prüfen Sie ihn zuerst.',
  'format.network': '„{label}“ braucht Adressen oder Netze wie 192.0.2.0/24.',
  'format.email': '„{label}“ braucht eine E-Mail-Adresse wie ann@example.com.',
  'refused.role': 'Ihre Rolle erlaubt das nicht. Nötig ist die Rolle {role}; fragen Sie einen Inhaber des Kontos.',
  'refused.scope': 'Dem API-Schlüssel fehlt die Berechtigung {scope}. Melden Sie sich mit einem anderen Schlüssel an.',
  'refused.reason.network': 'Der API-Schlüssel darf aus diesem Netz nicht verwendet werden.',
  'refused.destination':
    'Links dürfen nicht zu {host} führen. Nehmen Sie einen erlaubten Host; die Verwaltung des Projekts kann in den Einstellungen einen ergänzen.',
  'refused.destinationOfKey': 'Der API-Schlüssel darf keine Links zu {host} schreiben.',
  'refused.reason.allow_lists':
    'API-Schlüssel können nicht ändern, welche Ziele das Projekt erlaubt. Melden Sie sich als Administrator an.',
  'refused.reason.frozen':
    'Das Konto ist angehalten, deshalb kann nichts geändert werden. Ein Inhaber kann Änderungen auf der Seite „Konto“ erlauben.',
  'refused.reason.disabled': 'Das Konto ist gesperrt. Fragen Sie den Betreiber des Dienstes.',
  'refused.reason.origin': 'Der veröffentlichbare Schlüssel erlaubt diese Seite nicht.',
  'refused.reason.publishable':
    'Ein veröffentlichbarer Schlüssel legt nur Links an und sendet Konversionen. Melden Sie sich mit einem anderen Schlüssel an.',
  'refused.reason.imports': 'API-Schlüssel mit einer Liste von Zielen können nicht importieren.',
  'refused.reason.project': 'Sie haben keinen Zugang zu diesem Projekt.',
  'refused.MEMBER_EXISTS': 'Es gibt schon ein Mitglied mit dieser Adresse oder Kennung.',
  'refused.LAST_OWNER': 'Ein Konto braucht einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'refused.IMPORT_STATE': 'Der Import hat jetzt einen anderen Zustand. Laden Sie die Seite neu.',
  'refused.BULK_REFUSED': 'Einige der Links lassen sich nicht ändern, deshalb wurde keiner geändert.',
  'refused.COUNT_MISMATCH': 'Jetzt passt eine andere Zahl von Links, deshalb wurde nichts geändert.',
  'refused.IDEMPOTENCY_CONFLICT': 'Dieselbe Anfrage läuft noch. Versuchen Sie es gleich noch einmal.',
  'refused.PRECONDITION_FAILED': 'In der Zwischenzeit hat jemand anderes das geändert',
  'refused.PAYLOAD_TOO_LARGE': 'Das ist zu groß für eine Anfrage. Kürzen oder teilen Sie es.',
  'refused.UNSUPPORTED_MEDIA_TYPE': 'Der Dienst kann diese Art von Datei nicht lesen. Wählen Sie eine andere.',
  'refused.RATE_LIMITED': 'Es waren zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.',
  'refused.HEADERS_TOO_LARGE':
    'Die Adresse oder die Cookies dieser Seite sind zu lang. Löschen Sie die Cookies dieses Hosts.',
  'refused.DATABASE_ERROR': 'Die Datenbank antwortet im Moment nicht. Versuchen Sie es in einer Minute noch einmal.',
  'refused.reason.too_expensive':
    'Das dauert zu lange. Suchen Sie anders, entfernen Sie Filter, oder wählen Sie eine frühere Seite oder einen kürzeren Zeitraum.',
  'refused.reason.concurrency':
    'Zu viele Anfragen Ihres Kontos laufen gleichzeitig. Versuchen Sie es gleich noch einmal.',
  'refused.reason.probes_per_minute':
    'Es gab zu viele Prüfungen von außen. Versuchen Sie es in einer Minute noch einmal.',
  'refused.reason.stored_answers':
    'Ihr Konto hat in kurzer Zeit zu viel geändert. Versuchen Sie es später noch einmal.',
  'refused.reason.no_record':
    'Im DNS steht noch kein TXT-Eintrag mit diesem Namen. Prüfen Sie den Namen, und warten Sie einige Minuten.',
  'refused.reason.other_value':
    'Der TXT-Eintrag im DNS hat einen anderen Wert. Ersetzen Sie ihn durch den Wert dieser Seite.',
  'refused.reason.no_answer':
    'Das DNS hat nicht geantwortet. Versuchen Sie es in einigen Minuten noch einmal, und prüfen Sie dann die Nameserver.',
  'refused.CREATE_FAILED':
    'Es ließ sich nicht anlegen. Versuchen Sie es noch einmal, und sagen Sie es sonst dem Betreiber des Dienstes.',
  'refused.UPDATE_FAILED':
    'Es ließ sich nicht ändern. Versuchen Sie es noch einmal, und sagen Sie es sonst dem Betreiber des Dienstes.',
  'refused.DELETE_FAILED':
    'Es ließ sich nicht löschen. Versuchen Sie es noch einmal, und sagen Sie es sonst dem Betreiber des Dienstes.',
  'refused.UNKNOWN_ERROR':
    'Der Dienst hat einen Fehler. Versuchen Sie es noch einmal, und sagen Sie es sonst seinem Betreiber.',
  'refused.reason.approval': 'Eine andere Person muss das freigeben. Es wartet auf der Seite „Freigaben“.',
  'refused.reason.own_approval': 'Das haben Sie selbst beantragt. Eine andere Person muss es freigeben.',
  'refused.APPROVAL_STATE': 'Jemand hat das schon entschieden, oder es ist verfallen.',
};
