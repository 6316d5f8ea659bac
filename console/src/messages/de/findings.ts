import type { findings as english } from '../en/findings';

export const findings: Record<keyof typeof english, string> = {
  'finding.no_ios_app': 'Das Projekt hat keine iOS-App.',
  'remedy.no_ios_app': 'Tragen Sie die iOS-App mit Bundle-ID und Team-ID ein, falls es eine gibt.',
  'finding.no_android_app': 'Das Projekt hat keine Android-App.',
  'remedy.no_android_app': 'Tragen Sie die Android-App mit Paketname und Fingerabdrücken ein, falls es eine gibt.',
  'finding.malformed_team_id': 'Die Team-ID von „{app}“ ist ungültig; Links öffnen die App nicht.',
  'remedy.malformed_team_id': 'Tragen Sie die zehn Großbuchstaben und Ziffern ein, die Apple unter „Membership“ zeigt.',
  'finding.malformed_bundle_id': 'Die Bundle-ID von „{app}“ ist ungültig; Links öffnen die App nicht.',
  'remedy.malformed_bundle_id': 'Tragen Sie den CFBundleIdentifier der App ein.',
  'finding.malformed_package_name': 'Der Paketname von „{app}“ ist ungültig; Links öffnen die App nicht.',
  'remedy.malformed_package_name': 'Tragen Sie die Anwendungs-ID (applicationId) der App ein.',
  'finding.app_clip_of_other_app': 'Der App Clip von „{app}“ gehört nicht zur App.',
  'remedy.app_clip_of_other_app': 'Tragen Sie die Bundle-ID der App, einen Punkt und den Namen des App Clips ein.',
  'finding.malformed_paths': 'Die Pfade von „{app}“ sind ungültig; Smartphones ignorieren vielleicht alle.',
  'remedy.malformed_paths': 'Tragen Sie Muster ein, die mit einem Schrägstrich beginnen und * nur am Ende haben.',
  'finding.paths_not_derived':
    'Die Pfade der Links passen nicht in {file}; Links öffnen vielleicht eine andere App des Projekts.',
  'remedy.paths_not_derived':
    'Legen Sie die Links jeder App in einen Ordner, und tragen Sie ihn bei der App als Pfad ein: /shop/*.',
  'finding.link_outside_paths': 'Links von „{app}“ außerhalb ihrer Pfade öffnen sie nicht.',
  'remedy.link_outside_paths':
    'Ergänzen Sie deren Pfade bei der App, verschieben Sie die Links, oder lassen Sie die Pfade der App leer.',
  'finding.link_in_other_paths': 'In den Pfaden von „{app}“ liegen Links anderer Apps und öffnen sie auch.',
  'remedy.link_in_other_paths': 'Verengen Sie die Pfade der App, oder verschieben Sie diese Links.',
  'finding.no_open_host': 'Das Projekt hat keinen öffnenden Host; „In App öffnen“ bleibt auf iPhones im Browser.',
  'remedy.no_open_host':
    'Fügen Sie eine zweite eigene Domain hinzu und verwenden Sie sie bestätigt als öffnenden Host, oder wählen Sie eine Subdomain mit höchstens 58 Zeichen.',
  'finding.no_fingerprints': '„{app}“ hat keine Fingerabdrücke; Links öffnen die App nicht.',
  'remedy.no_fingerprints': 'Tragen Sie die Fingerabdrücke der Zertifikate ein, die die App signieren.',
  'finding.malformed_fingerprint': 'Ein Fingerabdruck von „{app}“ ist ungültig.',
  'remedy.malformed_fingerprint':
    'Ersetzen Sie ihn durch den SHA-256-Fingerabdruck: 32 Paare großer Hexadezimalziffern mit Doppelpunkten.',
  'finding.one_fingerprint': '„{app}“ hat einen Fingerabdruck, vielleicht den des Upload-Schlüssels.',
  'remedy.one_fingerprint':
    'Falls Google Play die App signiert, ergänzen Sie den Fingerabdruck von deren Schlüssel (Play Console, App-Signatur). Mit dem Upload-Schlüssel allein öffnen Links nur selbst signierte Builds.',
  'finding.file_too_large': '{file} ist zu groß; Smartphones ignorieren die Datei.',
  'remedy.file_too_large': 'Entfernen Sie Apps ohne Links, oder verschieben Sie einige in ein anderes Projekt.',
  'finding.not_https': 'Links auf {host} verwenden http; Smartphones laden die Dateien nur über https.',
  'remedy.not_https':
    'Liefern Sie Links über https aus. Die Einstellung ist LINK_BASE_URL des Dienstes; fragen Sie den Betreiber.',
  'finding.port_not_443': 'Links auf {host} haben einen Port, aber Apps nennen nur Hosts ohne Port.',
  'remedy.port_not_443':
    'Liefern Sie Links auf Port 443 aus. Die Einstellung ist LINK_BASE_URL des Dienstes; fragen Sie den Betreiber.',
  'finding.host_not_public': '{host} ist kein Host des öffentlichen Internets.',
  'remedy.host_not_public':
    'Verwenden Sie eine öffentliche Domain. Die Einstellung ist LINK_BASE_URL des Dienstes; fragen Sie den Betreiber.',
  'finding.domain_not_verified': '{host} ist nicht bestätigt; das Projekt antwortet dort nicht.',
  'remedy.domain_not_verified':
    'Veröffentlichen Sie den TXT-Eintrag der Domain und bestätigen Sie sie, oder entfernen Sie die Domain.',
  'finding.domain_record_missing': 'Der TXT-Eintrag von {host} fehlt: Die Domain geht verloren.',
  'remedy.domain_record_missing': 'Veröffentlichen Sie den TXT-Eintrag der Domain erneut.',
  'finding.not_resolved': '{host} hat keine Adresse im DNS, oder das DNS hat nicht geantwortet.',
  'remedy.not_resolved': 'Richten Sie die DNS-Einträge auf den Dienst, oder entfernen Sie den Host aus dem Projekt.',
  'finding.private_address':
    '{host} hat eine Adresse außerhalb des öffentlichen Internets und wurde nicht von außen geprüft.',
  'remedy.private_address':
    'Richten Sie die DNS-Einträge auf den Dienst, oder entfernen Sie den Host. In einem privaten Netz kann der Betreiber des Dienstes solche Adressen erlauben.',
  'finding.unreachable': '{host} nimmt keine Verbindung an.',
  'remedy.unreachable':
    'Prüfen Sie, ob Lastverteiler oder Proxy des Hosts Verbindungen von überall annehmen. Erreichen andere ihn, bitten Sie den Betreiber, ausgehende Verbindungen des Dienstes zu prüfen.',
  'finding.certificate_invalid': 'Das Zertifikat von {host} ist nicht gültig.',
  'remedy.certificate_invalid':
    'Installieren Sie ein Zertifikat für den Namen des Hosts, mit vollständiger Kette, von einer Stelle, der Smartphones vertrauen.',
  'finding.certificate_expires_soon': 'Das Zertifikat von {host} läuft bald ab.',
  'remedy.certificate_expires_soon':
    'Erneuern Sie das Zertifikat, und prüfen Sie, warum es nicht automatisch erneuert wurde.',
  'finding.no_answer': '{host} hat die Anfrage nach {file} nicht rechtzeitig vollständig beantwortet.',
  'remedy.no_answer': 'Prüfen Sie, ob der Proxy des Hosts den Dienst erreicht.',
  'finding.redirected': '{host} leitet {file} um.',
  'remedy.redirected':
    'Nehmen Sie die Datei im Proxy des Hosts von Umleitungen aus, weil Smartphones ihnen nicht folgen.',
  'finding.wrong_status': '{host} beantwortet die Anfrage nach {file} mit einem Fehler.',
  'remedy.wrong_status': 'Prüfen Sie, ob der Proxy des Hosts /.well-known/ für alle Clients an den Dienst weitergibt.',
  'finding.wrong_content_type': '{host} liefert {file} mit falschem Content-Type aus.',
  'remedy.wrong_content_type': 'Stellen Sie den Proxy des Hosts so ein, dass er application/json beibehält.',
  'finding.content_differs': '{host} liefert {file} mit anderem Inhalt, als es zu den Apps des Projekts gehört.',
  'remedy.content_differs':
    'Warten Sie nach einer Änderung fünf Minuten, weil Caches die Datei behalten. Bleibt es dabei, antwortet ein anderer Server auf dem Host, oder ein Proxy ändert die Datei.',
  'finding.released_app_changed': 'Die App hat die Kennung oder ein Zertifikat veröffentlichter Versionen nicht mehr.',
  'remedy.released_app_changed':
    'Stellen Sie Kennung, Team oder Fingerabdruck wieder her, oder mustern Sie die Versionen aus.',
  'finding.released_host_not_served': 'Veröffentlichte Versionen öffnen {host}; das Projekt antwortet dort nicht.',
  'remedy.released_host_not_served': 'Fügen Sie den Host dem Projekt hinzu, oder mustern Sie die Versionen aus.',
  'finding.release_not_recorded': 'Keine App hat eine erfasste Version dieses Namens.',
  'remedy.release_not_recorded': 'Erfassen Sie Versionen mit „signpost app release“.',
  'finding.browser_escape_dropped': 'Mit „Im Browser öffnen“ verlässt kaum noch jemand den Browser einer App.',
  'remedy.browser_escape_dropped':
    'Besucher können dort trotzdem fortfahren. Der Betreiber des Dienstes kann den Weg hinaus ersetzen (BROWSER_ESCAPES_FILE).',
  'finding.not_probed': '{host} wurde nicht geprüft, weil das Zeitlimit erreicht war.',
  'remedy.not_probed': 'Prüfen Sie erneut. Das Projekt hat viele Hosts, oder einige antworten langsam.',
  'health.purpose.applinks': 'Associated Domain der App',
  'health.purpose.applinks_developer':
    'Associated Domain eines Entwicklungs-Builds, der die Datei vom Host selbst liest',
  'health.purpose.apple_copy': 'Apples Kopie der Datei zeigen, die Smartphones bekommen',
  'health.purpose.intent_filter': 'Data-Element des Intent-Filters mit android:autoVerify',
  'health.purpose.google_statements': 'Zeigen, was Google vom Host liest',
  'health.purpose.verify_again': 'Die Hosts der installierten App neu prüfen',
  'health.purpose.host_states': 'Die Hosts der installierten App mit ihrem Zustand zeigen',
};
