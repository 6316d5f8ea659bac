-- Apps in other stores than Google Play.

ALTER TABLE android_apps ADD COLUMN android_stores jsonb;
COMMENT ON COLUMN android_apps.android_stores IS 'The ids of the app in AppGallery, the Amazon Appstore and the Galaxy Store, by store; null without them.';
