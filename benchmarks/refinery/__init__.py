"""Archives to corpora, and near duplicates among documents."""
