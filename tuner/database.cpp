#include "tuner/database.h"

#include <sqlite3.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

// Of others that write; they take milliseconds.
constexpr int kMostWaitMs = 60'000;

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

Statement::Statement(Database &database, const std::string &sql) : database_(database) {
    sqlite3_stmt *statement = nullptr;
    check(sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()),
                             &statement, nullptr));
    statement_.reset(statement);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) {
        database_.fail();
    }
}

Statement &Statement::bind(int place, int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), place, value));
    return *this;
}

Statement &Statement::bind(int place, double value) {
    check(sqlite3_bind_double(statement_.get(), place, value));
    return *this;
}

Statement &Statement::bind(int place, const std::string &value) {
    check(sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    check(code);
    return code == SQLITE_ROW;
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() { check(sqlite3_reset(statement_.get())); }

int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
    const void *text = sqlite3_column_text(statement_.get(), column);
    const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
    return text != nullptr ? std::string(static_cast<const char *>(text), size) : "";
}

void Database::Close::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

Database::Database(const std::string &file) : file_(file) {
    sqlite3 *database = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &database,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) {
        throw failure(std::string("can't be opened: ") + sqlite3_errstr(code), {.file = file});
    }
    sqlite3_busy_timeout(database, kMostWaitMs);
}

void Database::run(const std::string &sql) {
    if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail();
    }
}

int64_t Database::changed() const { return sqlite3_changes64(handle()); }

void Database::fail() const { throw failure(sqlite3_errmsg(handle()), {.file = file_}); }

Transaction::Transaction(Database &database) : database_(database) {
    database.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (open_) {
        sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

}  // namespace emulsion
